import { hash } from "node:crypto"
import type { ExternalProvider } from "#domain/AuthProvider"
import type { Preset } from "./providers/Preset.ts"

/** What a login at a provider elsewhere begins with. */
export interface Beginning {
  readonly state: string
  /** What the code challenge is made of (PKCE). */
  readonly verifier: string
  /** What an ID token is to repeat. */
  readonly nonce: string
  readonly redirectUri: string
}

/** What a provider is asked for: its own scopes, or those of its type. */
const scopesOf = (preset: Preset, { scopes }: ExternalProvider): ReadonlyArray<string> =>
  scopes.length === 0 ? preset.scopes : scopes

/** Where a person goes to log in; `more`: what the provider needs to see a second try in it. */
export const authorizationUrl = (
  preset: Preset,
  provider: ExternalProvider,
  { state, verifier, nonce, redirectUri }: Beginning,
  more: Preset["retry"] = {}
): string => {
  const scopes = scopesOf(preset, provider)
  const url = new URL(preset.endpoints.authorization)
  const parameters = {
    response_type: "code",
    client_id: provider.clientId,
    redirect_uri: redirectUri,
    state,
    ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }),
    ...(preset.challenge
      ? { code_challenge: hash("sha256", verifier, "base64url"), code_challenge_method: "S256" }
      : {}),
    ...(preset.idTokens?.nonce ? { nonce } : {}),
    ...more
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

import { hash } from "node:crypto"
import type { ExternalProvider } from "#domain/AuthProvider"
import type { Preset } from "./providers/Preset.ts"

/** An authorization request to an external provider. */
export interface AuthorizationRequest {
  readonly state: string
  /** The PKCE code verifier. */
  readonly verifier: string
  /** The nonce that the ID token must repeat. */
  readonly nonce: string
  readonly redirectUri: string
}

/** Returns the scopes to request: those in the provider's settings, or else those of its preset. */
const scopesOf = (preset: Preset, { scopes }: ExternalProvider): ReadonlyArray<string> =>
  scopes.length === 0 ? preset.scopes : scopes

/** Returns the URL where a person logs in at a provider. `extraParameters` are added if a first attempt failed. */
export const authorizationUrl = (
  preset: Preset,
  provider: ExternalProvider,
  { state, verifier, nonce, redirectUri }: AuthorizationRequest,
  extraParameters: Preset["retryParameters"] = {}
): string => {
  const scopes = scopesOf(preset, provider)
  const url = new URL(preset.endpoints.authorization)
  const parameters = {
    response_type: "code",
    client_id: provider.clientId,
    redirect_uri: redirectUri,
    state,
    ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }),
    ...(preset.supportsPkce
      ? { code_challenge: hash("sha256", verifier, "base64url"), code_challenge_method: "S256" }
      : {}),
    ...(preset.idTokens?.nonce ? { nonce } : {}),
    ...(preset.responseMode?.(scopes) === "form_post" ? { response_mode: "form_post" } : {}),
    ...extraParameters
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

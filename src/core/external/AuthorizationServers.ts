import type { AuthorizationServer } from "oauth4webapi"
import type { Preset } from "./providers/Preset.ts"

/** What stands for the issuer where nobody has told who it is: nobody else has this name either. */
export const NOBODY = "https://nobody.invalid"

/** A provider as the library knows one. */
const serverOf = ({ endpoints, idTokens }: Preset): AuthorizationServer => ({
  issuer: idTokens?.issuer ?? NOBODY,
  token_endpoint: endpoints.token,
  id_token_signing_alg_values_supported: [...(idTokens?.algorithms ?? [])],
  ...(endpoints.keys === undefined ? {} : { jwks_uri: endpoints.keys })
})

/**
 * The objects that stand for providers: the library keeps a provider's keys by them. One is kept for what it says, and only
 * where there are keys: settings that are read anew for each login name the same provider (SEC-93).
 */
export class AuthorizationServers {
  readonly #kept = new Map<string, AuthorizationServer>()
  readonly #most: number

  /** `most`: how many are kept; the one that was made first goes first. */
  constructor(most = 100) {
    this.#most = most
  }

  /** How many are kept. */
  get size(): number {
    return this.#kept.size
  }

  of(preset: Preset): AuthorizationServer {
    const server = serverOf(preset)
    if (server.jwks_uri === undefined) return server
    const key = JSON.stringify(server)
    const known = this.#kept.get(key)
    if (known !== undefined) return known
    const [oldest] = this.#kept.size >= this.#most ? this.#kept.keys() : []
    if (oldest !== undefined) this.#kept.delete(oldest)
    this.#kept.set(key, server)
    return server
  }
}

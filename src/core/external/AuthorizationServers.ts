import type { AuthorizationServer } from "oauth4webapi"
import type { Preset } from "./providers/Preset.ts"

/** A placeholder for an unknown issuer. No real issuer can have this name. */
export const UNKNOWN_ISSUER = "https://nobody.invalid"

/** Describes a provider as an authorization server for `oauth4webapi`. */
const serverOf = ({ endpoints, idTokens }: Preset): AuthorizationServer => ({
  issuer: typeof idTokens?.issuer === "string" ? idTokens.issuer : UNKNOWN_ISSUER,
  token_endpoint: endpoints.token,
  id_token_signing_alg_values_supported: [...(idTokens?.algorithms ?? [])],
  ...(idTokens?.requiresIssuerParameter === true ? { authorization_response_iss_parameter_supported: true } : {}),
  ...(endpoints.keys === undefined ? {} : { jwks_uri: endpoints.keys })
})

/**
 * Caches authorization server objects, because `oauth4webapi` caches a provider's signing keys per object. The settings are
 * read again for each login, so the cache key is the object's content. Providers without a key set are not cached (SEC-93).
 */
export class AuthorizationServers {
  readonly #cache = new Map<string, AuthorizationServer>()
  readonly #capacity: number

  /** `capacity` is the maximum number of cached objects. The oldest is evicted first. */
  constructor(capacity = 100) {
    this.#capacity = capacity
  }

  /** The number of cached objects. */
  get size(): number {
    return this.#cache.size
  }

  of(preset: Preset): AuthorizationServer {
    const server = serverOf(preset)
    if (server.jwks_uri === undefined) return server
    const key = JSON.stringify(server)
    const cached = this.#cache.get(key)
    if (cached !== undefined) return cached
    const [oldest] = this.#cache.size >= this.#capacity ? this.#cache.keys() : []
    if (oldest !== undefined) this.#cache.delete(oldest)
    this.#cache.set(key, server)
    return server
  }
}

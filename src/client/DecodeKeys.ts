import {
  type CryptoKey,
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  importSPKI,
  type JSONWebKeySet,
  type JWTHeaderParameters
} from "jose"
import type { SignatureCheck, TokenCrypto } from "./DecodeSignature.ts"
import type { Fetch } from "./Fetch.ts"

/** The keys can't be fetched, so no token can be verified. Apps should respond with 503, not 401. */
export class KeysUnavailable extends Error {
  override readonly name = "KeysUnavailable"
}

/** The JWKS error codes that indicate an invalid token. All others have other causes. */
const refusals: ReadonlySet<string> = new Set(
  [errors.JOSENotSupported, errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys].map(({ code }) => code)
)

/** Handles an error while finding a key. Returns null if no key matches the token. Otherwise throws `KeysUnavailable`. */
export const keyFailure = (cause: unknown): null => {
  if (cause instanceof errors.JOSEError && refusals.has(cause.code)) return null
  if (cause instanceof KeysUnavailable) throw cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  throw new KeysUnavailable(`Can't fetch the keys that verify tokens: ${reason}`, { cause })
}

/** Finds the signature check for a token, based on its header. */
export interface Verifier {
  readonly algorithm: "HS256" | "RS256"
  readonly checkFor: (header: JWTHeaderParameters) => SignatureCheck | Promise<SignatureCheck>
  /** Rejects if the issuer signs its tokens with a secret, in which case no token could ever be verified. */
  readonly refuseSecret?: () => Promise<unknown>
}

/** The maximum age of a cached JWKS, in milliseconds. The service's `Cache-Control` allows the same. */
const JWKS_MAX_AGE = 60_000

/**
 * The minimum time before a JWKS is refetched because of an unknown key, in milliseconds. A new key may start signing
 * at any time.
 */
const JWKS_COOLDOWN = 5_000

/** The timeout of a fetch, in milliseconds. */
const FETCH_TIMEOUT = 5_000

/** The minimum length of a realm's secret, in bytes. */
const MIN_SECRET_BYTES = 32

const MIN_RSA_BITS = 2_048

/** The maximum number of JWKSs and issuers that a process caches. The least recently used are evicted. */
export const MAX_REMEMBERED = 100

/** Returns a cached value, or creates it. Marks it as recently used. */
const remembered = <A>(all: Map<string, A>, key: string, make: () => A): A => {
  const found = all.get(key) ?? make()
  all.delete(key)
  all.set(key, found)
  for (const oldest of all.keys()) {
    if (all.size <= MAX_REMEMBERED) break
    all.delete(oldest)
  }
  return found
}

export type KeySet = (header: JWTHeaderParameters) => Promise<CryptoKey>

/** The caches shared by decoders with the same `fetch`. */
interface Shared {
  readonly sets: Map<string, KeySet>
  readonly addresses: Map<string, Promise<URL>>
}

const sharedBy = new WeakMap<Fetch, Shared>()

/** The shared caches of a `fetch`. */
const sharedOf = (fetch: Fetch): Shared => {
  const shared = sharedBy.get(fetch) ?? { sets: new Map(), addresses: new Map() }
  sharedBy.set(fetch, shared)
  return shared
}

/** The current global `fetch`, which tests and instrumentation may replace. */
export const globalFetch: Fetch = (url, init) => globalThis.fetch(url, init)

/** Fetches a document. Redirects are not followed, and slow responses fail. */
const get = (fetch: Fetch, url: string, signal: AbortSignal) =>
  fetch(url, { method: "GET", headers: { accept: "application/json" }, signal, redirect: "manual" })

/** The published keys at a URL, which are cached. */
export const setAt = (url: URL, fetch: Fetch): KeySet =>
  remembered(sharedOf(fetch).sets, url.href, () =>
    createRemoteJWKSet(url, {
      cacheMaxAge: JWKS_MAX_AGE,
      cooldownDuration: JWKS_COOLDOWN,
      timeoutDuration: FETCH_TIMEOUT,
      [customFetch]: async (address, { signal }) => {
        const response = await get(fetch, address, signal)
        return new Response(await response.text(), { status: response.status })
      }
    })
  )

/** Reads the URL of an issuer's keys from its discovery document (OpenID Connect Discovery 1.0). */
const discover = async (issuer: string, fetch: Fetch): Promise<URL> => {
  const address = `${issuer.endsWith("/") ? issuer.slice(0, -1) : issuer}/.well-known/openid-configuration`
  const response = await get(fetch, address, AbortSignal.timeout(FETCH_TIMEOUT))
  if (response.status !== 200) throw new KeysUnavailable(`${address} returned status ${response.status}.`)
  const document: unknown = JSON.parse(await response.text())
  const member = (name: string): unknown =>
    typeof document === "object" && document !== null ? Reflect.get(document, name) : undefined
  if (member("issuer") !== issuer)
    throw new KeysUnavailable(`${address} belongs to the issuer ${member("issuer")}, not ${issuer}.`)
  const algorithms = member("id_token_signing_alg_values_supported")
  if (Array.isArray(algorithms) && !algorithms.includes("RS256"))
    throw new KeysUnavailable(
      `${issuer} signs tokens with a secret that is not published. Pass the realm's jwt_key as jwtKey.`
    )
  return new URL(String(member("jwks_uri")))
}

/** The URL of an issuer's keys. Failures are not cached. */
const addressOf = (issuer: string, fetch: Fetch): Promise<URL> => {
  const { addresses } = sharedOf(fetch)
  return remembered(addresses, issuer, () => {
    const found = discover(issuer, fetch)
    found.catch(() => addresses.delete(issuer))
    return found
  })
}

/** Returns a function that creates the signature check for a key, once per key. */
const checkOf = (crypto: TokenCrypto) => {
  const checks = new WeakMap<CryptoKey, SignatureCheck>()
  return (key: CryptoKey): SignatureCheck => {
    const known = checks.get(key)
    if (known !== undefined) return known
    const bits: unknown = Reflect.get(key.algorithm, "modulusLength")
    if (typeof bits !== "number" || bits < MIN_RSA_BITS)
      throw new KeysUnavailable(`An RS256 key must have at least ${MIN_RSA_BITS} bits.`)
    const check = crypto.withPublicKey(key)
    checks.set(key, check)
    return check
  }
}

/** The source of the keys that verify tokens. */
export interface KeySource {
  readonly jwks?: URL | JSONWebKeySet | undefined
  readonly jwtKey?: string | undefined
  readonly issuer?: string | undefined
  readonly fetch?: Fetch | undefined
}

const withSecret = (jwtKey: string, crypto: TokenCrypto): Verifier => {
  const secret = new TextEncoder().encode(jwtKey)
  if (secret.length < MIN_SECRET_BYTES)
    throw new TypeError(`A jwt_key must be at least ${MIN_SECRET_BYTES} bytes long.`)
  const check = crypto.withSecret(secret)
  return { algorithm: "HS256", checkFor: () => check }
}

const withKeySet = (find: KeySet, crypto: TokenCrypto): Verifier => {
  const check = checkOf(crypto)
  return { algorithm: "RS256", checkFor: async (header) => check(await find(header)) }
}

const withPublicKey = (pem: string, crypto: TokenCrypto): Verifier => {
  let key: Promise<CryptoKey> | undefined
  return withKeySet(() => (key ??= importSPKI(pem.trim(), "RS256")), crypto)
}

/** Creates a verifier. The type of the key alone determines the algorithm; the token's `alg` is ignored (SEC-39). */
export const verifierOf = ({ jwks, jwtKey, issuer, fetch = globalFetch }: KeySource, crypto: TokenCrypto): Verifier => {
  if (jwks instanceof URL) return withKeySet((header) => setAt(jwks, fetch)(header), crypto)
  if (jwks !== undefined) return withKeySet(createLocalJWKSet(jwks), crypto)
  if (jwtKey !== undefined) {
    return jwtKey.trimStart().startsWith("-----BEGIN ") ? withPublicKey(jwtKey, crypto) : withSecret(jwtKey, crypto)
  }
  if (issuer === undefined) throw new TypeError("A decoder requires jwks, jwtKey or issuer.")
  const verifier = withKeySet(async (header) => setAt(await addressOf(issuer, fetch), fetch)(header), crypto)
  return { ...verifier, refuseSecret: () => addressOf(issuer, fetch) }
}

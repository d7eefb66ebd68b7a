import {
  base64url,
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  importSPKI,
  type JSONWebKeySet,
  jwtVerify
} from "jose"
import { type Decoded, decodedOf } from "./Decoded.ts"

/** How tokens are verified: with the URL or content of the realm's JWKS (rs256), or with its `jwt_key` as the API shows it. */
type Keys =
  | { readonly jwks: URL | JSONWebKeySet; readonly jwtKey?: never }
  | { readonly jwtKey: string; readonly jwks?: never }

/** The options of a decoder. */
export type DecoderOptions = Keys & {
  /** Accept only tokens of this issuer. */
  readonly issuer?: string
  /** Accept only tokens of this realm. */
  readonly realmId?: string
  /** Whether to accept tokens that never expire, as some realms' unmanaged sessions and API keys have. Default: false. */
  readonly allowUnending?: boolean
  /** The current time. Default: the machine's clock. */
  readonly now?: () => Date
}

/** Reads the session in a token without a request to the service; null if the token is invalid or expired. */
export type Decode = (token: string) => Promise<Decoded | null>

/** How old a JWKS may get before it is fetched again, in milliseconds: the service's own `Cache-Control` allows as much. */
const JWKS_MAX_AGE = 60_000

/** How soon a JWKS is fetched again for a token whose key is not in it, in milliseconds: a new key may sign at any time. */
const JWKS_COOLDOWN = 5_000

/** The length of the shortest secret that a realm can have, in bytes. */
const MIN_SECRET_BYTES = 32

/** The error codes of the verifier that mean an invalid token. Any other error has another cause. */
const refusals: ReadonlySet<string> = new Set(
  [
    errors.JWSInvalid,
    errors.JWSSignatureVerificationFailed,
    errors.JWTInvalid,
    errors.JWTExpired,
    errors.JWTClaimValidationFailed,
    errors.JOSEAlgNotAllowed,
    errors.JOSENotSupported,
    errors.JWKSNoMatchingKey,
    errors.JWKSMultipleMatchingKeys
  ].map(({ code }) => code)
)

type Verify = (token: string, rules: Parameters<typeof jwtVerify>[2]) => ReturnType<typeof jwtVerify>

const withSecret = (jwtKey: string): Verify => {
  const secret = new TextEncoder().encode(jwtKey)
  if (secret.length < MIN_SECRET_BYTES)
    throw new TypeError(`A jwt_key must be at least ${MIN_SECRET_BYTES} bytes long.`)
  return (token, rules) => jwtVerify(token, secret, { ...rules, algorithms: ["HS256"] })
}

const withPublicKey = (pem: string): Verify => {
  let key: ReturnType<typeof importSPKI> | undefined
  return async (token, rules) => {
    key ??= importSPKI(pem.trim(), "RS256")
    return jwtVerify(token, await key, { ...rules, algorithms: ["RS256"] })
  }
}

const withJwks = (jwks: URL | JSONWebKeySet): Verify => {
  const set =
    jwks instanceof URL
      ? createRemoteJWKSet(jwks, { cacheMaxAge: JWKS_MAX_AGE, cooldownDuration: JWKS_COOLDOWN })
      : createLocalJWKSet(jwks)
  return (token, rules) => jwtVerify(token, set, { ...rules, algorithms: ["RS256"] })
}

/** Chooses the algorithm by the kind of key alone: the token's own `alg` is not asked. */
const verifierOf = ({ jwks, jwtKey }: Keys): Verify => {
  if (jwks !== undefined) return withJwks(jwks)
  return jwtKey.trimStart().startsWith("-----BEGIN ") ? withPublicKey(jwtKey) : withSecret(jwtKey)
}

/** Whether each part of a token is the canonical base64url of its bytes: a lenient decoder would accept other texts too. */
const isCanonical = (token: string): boolean => {
  try {
    return token.split(".").every((part) => base64url.encode(base64url.decode(part)) === part)
  } catch {
    return false
  }
}

/**
 * Makes a function that decodes login tokens inside an app (`v2.decode`). It verifies the signature and the expiry, not
 * whether the session was deleted since. Its promise rejects if the keys cannot be fetched.
 */
export const decoder = (options: DecoderOptions): Decode => {
  const { issuer, realmId, allowUnending = false } = options
  const verify = verifierOf(options)
  return async (token) => {
    if (typeof token !== "string" || !isCanonical(token)) return null
    const rules = {
      ...(issuer === undefined ? {} : { issuer }),
      ...(allowUnending ? {} : { requiredClaims: ["exp"] }),
      ...(options.now === undefined ? {} : { currentDate: options.now() })
    }
    try {
      const { payload } = await verify(token, rules)
      const decoded = decodedOf(payload, token)
      return decoded === undefined || (realmId !== undefined && decoded.user.realm_id !== realmId) ? null : decoded
    } catch (error) {
      if (error instanceof errors.JOSEError && refusals.has(error.code)) return null
      throw error
    }
  }
}

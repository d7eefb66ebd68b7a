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

/** What tokens are verified with: the address or content of the realm's JWKS (rs256), or its `jwt_key` as the API shows it. */
type Keys =
  | { readonly jwks: URL | JSONWebKeySet; readonly jwtKey?: never }
  | { readonly jwtKey: string; readonly jwks?: never }

/** What a decoder is made of. */
export type DecoderOptions = Keys & {
  /** Only tokens that were issued by this one. */
  readonly issuer?: string
  /** Only tokens of this realm. */
  readonly realmId?: string
  /** Whether tokens that never expire are taken: unmanaged sessions and API keys of some realms have them. Default: no. */
  readonly allowUnending?: boolean
  /** What time it is. Default: the machine's. */
  readonly now?: () => Date
}

/** The session in a token, without a request to the service; null where the token is invalid or expired. */
export type Decode = (token: string) => Promise<Decoded | null>

/** How old a JWKS gets before it is fetched anew, in milliseconds: as long as the service says. */
const KEYS_AGE = 60_000

/** How soon it is fetched again for a token of a key that is not in it: a new key signs from one moment to the next. */
const KEYS_REST = 5_000

/** The shortest secret a realm can have, in bytes. */
const SECRET_BYTES = 32

/** What is wrong with a token, as the verifier has it; any other error is none of the token's. */
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
  if (secret.length < SECRET_BYTES) throw new TypeError(`A jwt_key must be at least ${SECRET_BYTES} bytes long.`)
  return (token, rules) => jwtVerify(token, secret, { ...rules, algorithms: ["HS256"] })
}

const withPublicKey = (pem: string): Verify => {
  let key: ReturnType<typeof importSPKI> | undefined
  return async (token, rules) => {
    key ??= importSPKI(pem.trim(), "RS256")
    return jwtVerify(token, await key, { ...rules, algorithms: ["RS256"] })
  }
}

const withSet = (jwks: URL | JSONWebKeySet): Verify => {
  const set =
    jwks instanceof URL
      ? createRemoteJWKSet(jwks, { cacheMaxAge: KEYS_AGE, cooldownDuration: KEYS_REST })
      : createLocalJWKSet(jwks)
  return (token, rules) => jwtVerify(token, set, { ...rules, algorithms: ["RS256"] })
}

/** The kind of key alone decides about the algorithm: the token has no say. */
const verifierOf = ({ jwks, jwtKey }: Keys): Verify => {
  if (jwks !== undefined) return withSet(jwks)
  return jwtKey.trimStart().startsWith("-----BEGIN ") ? withPublicKey(jwtKey) : withSecret(jwtKey)
}

/** Whether each part is the one way to write its bytes: decoding is lenient, and several texts would be one token. */
const isCanonical = (token: string): boolean => {
  try {
    return token.split(".").every((part) => base64url.encode(base64url.decode(part)) === part)
  } catch {
    return false
  }
}

/**
 * Decodes login tokens in one's own app (api-v2 section 4, "Decode a session token"): verifies who signed them and that they
 * have not expired, not whether their session was deleted. Rejects where the keys can't be had.
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

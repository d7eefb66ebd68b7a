import { Context, Effect, Layer } from "effect"
import type { Claims } from "#domain/Claims"
import { isObject } from "#domain/JsonObject"
import type { JwtAlgorithm } from "#domain/JwtKey"
import { InvalidJwt, MAX_JWT_LENGTH } from "#domain/LoginToken"
import { CurrentRealm } from "#domain/Realm"
import { decodeUtf8 } from "#domain/Utf8"
import { KeyRing } from "./KeyRing.ts"

/** Parses one part of a JWT. Returns undefined unless it is the canonical base64url form of a JSON object. */
export const parseJsonObject = (part: string): Claims | undefined => {
  const bytes = Buffer.from(part, "base64url")
  // Decoding is lenient. Without this check, several texts would be accepted as the same token (SEC-42).
  if (bytes.toString("base64url") !== part) return undefined
  try {
    const members: unknown = JSON.parse(decodeUtf8(bytes) ?? "")
    return isObject(members) ? { ...members } : undefined
  } catch {
    return undefined
  }
}

const isCanonical = (part: string): boolean => Buffer.from(part, "base64url").toString("base64url") === part

/** A token signed by a key of the realm. It can be of any type, and it may have expired. */
export interface SignedJwt {
  /** The `typ` in the token's header. */
  readonly type: unknown
  readonly algorithm: JwtAlgorithm
  readonly claims: Claims
}

/** Verifies the signatures of the current realm's tokens. Callers must check the token's type and expiry themselves. */
export class SignedJwts extends Context.Service<
  SignedJwts,
  {
    verify(token: string): Effect.Effect<SignedJwt, InvalidJwt, CurrentRealm>
    /** Like `verify`, but also accepts rs256 keys whose grace period is over. */
    verifyFormer(token: string): Effect.Effect<SignedJwt, InvalidJwt, CurrentRealm>
  }
>()("sallyport/core/SignedJwts") {
  static readonly layer = Layer.effect(
    SignedJwts,
    Effect.gen(function* () {
      const keys = yield* KeyRing

      const verifyBy = Effect.fnUntraced(function* (token: string, keyOf: KeyRing["Service"]["formerKey"]) {
        const realm = yield* CurrentRealm
        const parts = token.length > MAX_JWT_LENGTH ? [] : token.split(".")
        const [head = "", body = "", signature = ""] = parts
        const header = parts.length === 3 ? parseJsonObject(head) : undefined
        const claims = parts.length === 3 && isCanonical(signature) ? parseJsonObject(body) : undefined
        if (header === undefined || claims === undefined) return yield* new InvalidJwt({ why: "form" })

        // Find the key in the realm by its ID, and take the algorithm from the key, not from the token (SEC-39, SEC-40).
        const signingKey = yield* keyOf(realm, header.kid)
        if (signingKey === undefined || header.crit !== undefined) return yield* new InvalidJwt({ why: "key" })
        const { algo: algorithm, imported } = signingKey
        if (header.alg !== algorithm.toUpperCase()) return yield* new InvalidJwt({ why: "algorithm" })
        if (!(yield* imported.verifies(token))) return yield* new InvalidJwt({ why: "signature" })
        return { type: header.typ, algorithm, claims }
      })

      return SignedJwts.of({
        verify: (token) => verifyBy(token, keys.verificationKey),
        verifyFormer: (token) => verifyBy(token, keys.formerKey)
      })
    })
  )
}

import { Context, DateTime, Effect, Layer } from "effect"
import type { Claims } from "#domain/Claims"
import { isId, type RealmId } from "#domain/Ids"
import { CurrentRealm, type Realm } from "#domain/Realm"
import { InvalidToken, tokenProblem } from "#domain/Token"
import { UsersRepo } from "#store/UsersRepo"
import { Issuer } from "./Issuer.ts"
import { KeyRing } from "./KeyRing.ts"

/** Parses one part of a JWT; undefined unless it is the canonical base64url form of a JSON object. */
const parseJsonObject = (part: string): Claims | undefined => {
  const bytes = Buffer.from(part, "base64url")
  // Decoding is lenient: without this check, several texts would be the same token (SEC-42).
  if (bytes.toString("base64url") !== part) return undefined
  try {
    const members: unknown = JSON.parse(bytes.toString("utf8"))
    return typeof members === "object" && members !== null && !Array.isArray(members) ? { ...members } : undefined
  } catch {
    return undefined
  }
}

const isCanonical = (part: string): boolean => Buffer.from(part, "base64url").toString("base64url") === part

/** The longest token that is parsed, in characters. */
const TOKEN_LENGTH = 64 * 1024

/** The realm that a token claims to be from. Unverified: the token must be verified with that realm's keys. */
export const realmOfToken = (token: string): RealmId | undefined => {
  const [, body = "", , more] = token.length > TOKEN_LENGTH ? [] : token.split(".", 4)
  const rid = more === undefined && body !== "" ? parseJsonObject(body)?.["rid"] : undefined
  return typeof rid === "string" && isId("realm", rid) ? rid : undefined
}

/** Verifies login tokens of the current realm (C31). */
export class TokenVerifier extends Context.Service<
  TokenVerifier,
  {
    /** The claims of a token that one of the realm's keys signed, that names this realm, and that has not expired. */
    verify(token: string): Effect.Effect<Claims, InvalidToken, CurrentRealm>
  }
>()("sallyport/core/TokenVerifier") {
  static readonly layer = Layer.effect(
    TokenVerifier,
    Effect.gen(function* () {
      const keys = yield* KeyRing
      const issuer = yield* Issuer
      const users = yield* UsersRepo

      const isApiUser = Effect.fnUntraced(function* (realm: Realm, sub: unknown) {
        const user = typeof sub === "string" && isId("user", sub) ? yield* users.find(realm.id, sub) : undefined
        return user?.userType === "api"
      })

      const verify = Effect.fnUntraced(function* (token: string) {
        const realm = yield* CurrentRealm
        const parts = token.length > TOKEN_LENGTH ? [] : token.split(".")
        const [head = "", body = "", signature = ""] = parts
        const header = parts.length === 3 ? parseJsonObject(head) : undefined
        const claims = parts.length === 3 && isCanonical(signature) ? parseJsonObject(body) : undefined
        if (header === undefined || claims === undefined) return yield* new InvalidToken({ why: "form" })

        // The key is looked up by id within the realm and determines the algorithm; the token doesn't (SEC-39, SEC-40).
        const signingKey = yield* keys.verificationKey(realm, header.kid)
        if (signingKey === undefined || header.crit !== undefined) return yield* new InvalidToken({ why: "key" })
        if (header.alg !== signingKey.key.algo.toUpperCase()) return yield* new InvalidToken({ why: "algorithm" })
        if (!(yield* signingKey.verifies(token))) return yield* new InvalidToken({ why: "signature" })

        // The user type only matters for a token without `exp`.
        const ofApiUser = claims.exp === undefined && (yield* isApiUser(realm, claims.sub))
        const expected = { realm, issuer: issuer.of(realm.id), now: yield* DateTime.now, ofApiUser }
        const why = tokenProblem(claims, expected)
        return why === undefined ? claims : yield* new InvalidToken({ why })
      })

      return TokenVerifier.of({ verify })
    })
  )
}

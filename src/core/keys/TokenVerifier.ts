import { Context, DateTime, Effect, Layer } from "effect"
import type { Claims } from "#domain/Claims"
import { isId, type RealmId } from "#domain/Ids"
import { ACCESS_TOKEN_TYPE } from "#domain/oauth/OAuthToken"
import { CurrentRealm, type Realm } from "#domain/Realm"
import { InvalidToken, TOKEN_LENGTH, tokenProblem } from "#domain/Token"
import { UsersRepo } from "#store/users/UsersRepo"
import { Issuer } from "./Issuer.ts"
import { parseJsonObject, SignedTokens } from "./SignedTokens.ts"

/** The realm that a token claims to be from. Not verified yet: verify the token with that realm's keys. */
export const realmOfToken = (token: string): RealmId | undefined => {
  const [, body = "", , more] = token.length > TOKEN_LENGTH ? [] : token.split(".", 4)
  const rid = more === undefined && body !== "" ? parseJsonObject(body)?.["rid"] : undefined
  return typeof rid === "string" && isId("realm", rid) ? rid : undefined
}

/** Verifies login tokens of the current realm (C31). */
export class TokenVerifier extends Context.Service<
  TokenVerifier,
  {
    /** Returns the claims of a token signed by a key of the realm, for this realm, that has not expired. */
    verify(token: string): Effect.Effect<Claims, InvalidToken, CurrentRealm>
  }
>()("sallyport/core/TokenVerifier") {
  static readonly layer = Layer.effect(
    TokenVerifier,
    Effect.gen(function* () {
      const signed = yield* SignedTokens
      const issuer = yield* Issuer
      const users = yield* UsersRepo

      const isApiUser = Effect.fnUntraced(function* (realm: Realm, sub: unknown) {
        const user = typeof sub === "string" && isId("user", sub) ? yield* users.find(realm.id, sub) : undefined
        return user?.userType === "api"
      })

      const verify = Effect.fnUntraced(function* (token: string) {
        const realm = yield* CurrentRealm
        const { type, claims } = yield* signed.verify(token)
        // Access tokens of OAuth clients are signed by the same keys (SEC-153).
        if (type === ACCESS_TOKEN_TYPE) return yield* new InvalidToken({ why: "type" })

        // The user type only matters for tokens without `exp`.
        const ofApiUser = claims.exp === undefined && (yield* isApiUser(realm, claims.sub))
        const expected = { realm, issuer: issuer.of(realm.id), now: yield* DateTime.now, ofApiUser }
        const why = tokenProblem(claims, expected)
        return why === undefined ? claims : yield* new InvalidToken({ why })
      })

      return TokenVerifier.of({ verify })
    })
  )
}

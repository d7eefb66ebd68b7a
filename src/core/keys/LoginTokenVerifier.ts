import { Context, DateTime, Effect, Layer } from "effect"
import type { Claims } from "#domain/Claims"
import { isId, type RealmId } from "#domain/Ids"
import { InvalidJwt, loginTokenProblem, MAX_JWT_LENGTH } from "#domain/LoginToken"
import { ACCESS_TOKEN_TYPE } from "#domain/oauth/OAuthToken"
import { CurrentRealm, type Realm } from "#domain/Realm"
import { UsersRepo } from "#store/users/UsersRepo"
import { Issuer } from "./Issuer.ts"
import { parseJsonObject, SignedJwts } from "./SignedJwts.ts"

/** Returns the realm that a token names. The token is not verified yet. Verify it with the keys of that realm. */
export const realmOfToken = (token: string): RealmId | undefined => {
  const [, body = "", , more] = token.length > MAX_JWT_LENGTH ? [] : token.split(".", 4)
  const rid = more === undefined && body !== "" ? parseJsonObject(body)?.["rid"] : undefined
  return typeof rid === "string" && isId("realm", rid) ? rid : undefined
}

/** Verifies login tokens of the current realm (C31). */
export class LoginTokenVerifier extends Context.Service<
  LoginTokenVerifier,
  {
    /**
     * Verifies a token and returns its claims. The token must be signed by a key of the realm, be issued for the realm, and
     * not have expired.
     */
    verify(token: string): Effect.Effect<Claims, InvalidJwt, CurrentRealm>
  }
>()("sallyport/core/LoginTokenVerifier") {
  static readonly layer = Layer.effect(
    LoginTokenVerifier,
    Effect.gen(function* () {
      const signed = yield* SignedJwts
      const issuer = yield* Issuer
      const users = yield* UsersRepo

      const isApiUser = Effect.fnUntraced(function* (realm: Realm, sub: unknown) {
        const user = typeof sub === "string" && isId("user", sub) ? yield* users.find(realm.id, sub) : undefined
        return user?.userType === "api"
      })

      const verify = Effect.fnUntraced(function* (token: string) {
        const realm = yield* CurrentRealm
        const { type, claims } = yield* signed.verify(token)
        // The same keys sign the access tokens of OAuth clients, which are not login tokens (SEC-153).
        if (type === ACCESS_TOKEN_TYPE) return yield* new InvalidJwt({ why: "type" })

        // Only tokens of API users may lack `exp`, so the user type is only looked up for tokens without it.
        const isUncheckedApiUser = claims.exp === undefined && (yield* isApiUser(realm, claims.sub))
        const expected = { realm, issuer: issuer.of(realm.id), now: yield* DateTime.now, isApiUser: isUncheckedApiUser }
        const why = loginTokenProblem(claims, expected)
        return why === undefined ? claims : yield* new InvalidJwt({ why })
      })

      return LoginTokenVerifier.of({ verify })
    })
  )
}

import { Context, Effect, Layer } from "effect"
import { isId } from "#domain/Ids"
import { CurrentRealm } from "#domain/Realm"
import { isBeingReset } from "#domain/RealmReset"
import { SessionNotFound } from "#domain/Session"
import { visibleUser } from "#domain/User"
import { UsersRepo } from "#store/UsersRepo"
import { TokenVerifier } from "../keys/TokenVerifier.ts"
import type { BrowserUser } from "./BrowserSessions.ts"
import { Sessions } from "./Sessions.ts"

/** Who holds a login token: for what people do in their own name. */
export class LoginTokens extends Context.Service<
  LoginTokens,
  {
    /**
     * The active human whose login token this is. Where the realm's sessions are managed the session has to be there still
     * (SEC-13); elsewhere the token speaks for itself until it expires.
     */
    holder(token: string): Effect.Effect<BrowserUser, SessionNotFound, CurrentRealm>
  }
>()("sallyport/core/LoginTokens") {
  static readonly layer = Layer.effect(
    LoginTokens,
    Effect.gen(function* () {
      const verifier = yield* TokenVerifier
      const sessions = yield* Sessions
      const users = yield* UsersRepo

      const unknown = new SessionNotFound({ id: "" })

      const ofSession = Effect.fnUntraced(function* (token: string) {
        // An id is no token: it proves nothing.
        if (isId("session", token)) return yield* unknown
        const { user, session } = yield* sessions.read(yield* sessions.idOf(token), false)
        return { user, session }
      })

      const ofClaims = Effect.fnUntraced(function* (token: string) {
        const realm = yield* CurrentRealm
        const { sub } = yield* verifier.verify(token)
        if (typeof sub !== "string" || !isId("user", sub) || isBeingReset(realm.pendingReset, "user", sub))
          return yield* unknown
        const user = yield* users.find(realm.id, sub)
        if (user?.state !== "active" || user.userType === "api") return yield* unknown
        return { user: visibleUser(realm, user), session: undefined }
      })

      const holder = Effect.fn("LoginTokens.holder")(function* (token: string) {
        const { sessionType } = yield* CurrentRealm
        const found: Effect.Effect<BrowserUser, unknown, CurrentRealm> =
          sessionType === "managed" ? ofSession(token) : ofClaims(token)
        return yield* Effect.mapError(found, () => unknown)
      })

      return LoginTokens.of({ holder })
    })
  )
}

import { Context, Effect, Layer } from "effect"
import { identifyUser } from "#domain/EventActor"
import { isId } from "#domain/Ids"
import { CurrentRealm } from "#domain/Realm"
import { isBeingReset } from "#domain/RealmReset"
import { SessionNotFound } from "#domain/Session"
import { visibleUser } from "#domain/User"
import { UsersRepo } from "#store/users/UsersRepo"
import { LoginTokenVerifier } from "../keys/LoginTokenVerifier.ts"
import type { SessionUser } from "./BrowserSessions.ts"
import { Sessions } from "./Sessions.ts"

/** Authenticates humans by their login tokens. */
export class LoginTokens extends Context.Service<
  LoginTokens,
  {
    /**
     * Finds the active human to whom a login token belongs. In a realm with managed sessions, the session must still exist
     * (SEC-13). In other realms, the token is valid until it expires.
     */
    holder(token: string): Effect.Effect<SessionUser, SessionNotFound, CurrentRealm>
  }
>()("sallyport/core/LoginTokens") {
  static readonly layer = Layer.effect(
    LoginTokens,
    Effect.gen(function* () {
      const verifier = yield* LoginTokenVerifier
      const sessions = yield* Sessions
      const users = yield* UsersRepo

      const notFound = new SessionNotFound({ id: "" })

      const userOfSession = Effect.fnUntraced(function* (token: string) {
        // `idOf` also accepts session IDs, but those don't authenticate anyone.
        if (isId("session", token)) return yield* notFound
        const { user, session } = yield* sessions.read(yield* sessions.idOf(token), false)
        return { user, session }
      })

      const userOfClaims = Effect.fnUntraced(function* (token: string) {
        const realm = yield* CurrentRealm
        const { sub } = yield* verifier.verify(token)
        if (typeof sub !== "string" || !isId("user", sub) || isBeingReset(realm.pendingReset, "user", sub))
          return yield* notFound
        const user = yield* users.find(realm.id, sub)
        if (user?.state !== "active" || user.userType === "api") return yield* notFound
        return { user: visibleUser(realm, user), session: undefined }
      })

      const holder = Effect.fn("LoginTokens.holder")(function* (token: string) {
        const { sessionType } = yield* CurrentRealm
        const user: Effect.Effect<SessionUser, unknown, CurrentRealm> =
          sessionType === "managed" ? userOfSession(token) : userOfClaims(token)
        return yield* user.pipe(
          Effect.mapError(() => notFound),
          Effect.tap(({ user: { id } }) => identifyUser(id))
        )
      })

      return LoginTokens.of({ holder })
    })
  )
}

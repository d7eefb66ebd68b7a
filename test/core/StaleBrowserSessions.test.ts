import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { expect, test } from "vitest"
import { AppId, RealmId, SessionId, UserId } from "#domain/Ids"
import { KnownBrowsersRepo } from "#store/login/KnownBrowsersRepo"
import { BrowserSessionsRepo } from "#store/sessions/BrowserSessionsRepo"
import { uniqueText } from "#testing/Given"
import { OTHER_PASSWORD } from "../support/logins.ts"
import { quickUser } from "../support/passwordEntryPoints.ts"
import { ownService } from "../support/sallyport.ts"

test("SEC-85: an unmanaged login stores no browser state if the user's sessions have ended meanwhile", () =>
  ownService(async ({ given, clock, sql }) => {
    const realm = await given.realm({ session_type: "unmanaged" })
    const app = await realm.connectedApp({ login_handler: "https://app.example.test/login" })
    const user = await quickUser(realm)
    const [realmId, appId, userId] = [RealmId.make(realm.id), AppId.make(app.id), UserId.make(user.id)]
    const Repos = Layer.merge(BrowserSessionsRepo.layer, KnownBrowsersRepo.layer).pipe(
      Layer.provide(Layer.succeed(SqlClient, sql))
    )
    const now = () => DateTime.makeUnsafe(clock.currentTimeMillisUnsafe())

    /** The state stored for a login at the given time whose write reaches the database now. */
    const storedFor = (loggedInAt: DateTime.Utc) =>
      Effect.runPromise(
        Effect.gen(function* () {
          const [sessions, known] = [yield* BrowserSessionsRepo, yield* KnownBrowsersRepo]
          const [id, createdAt] = [uniqueText("browser"), now()]
          const kept = { id, realmId, userId, createdAt, expiresAt: DateTime.add(createdAt, { hours: 1 }) }
          const insertion = sessions.insertion(
            {
              ...kept,
              appId,
              sessionId: null,
              sid: SessionId.make(id),
              orgId: null,
              authentication: null,
              signupNotice: null,
              provedAt: createdAt
            },
            loggedInAt
          )
          yield* known.replace([insertion], [], kept, loggedInAt)
          const found = yield* sessions.find(realmId, appId, id, createdAt)
          return [found?.id === id, (yield* known.find(realmId, [id], createdAt)).length]
        }).pipe(Effect.provide(Repos))
      )

    const before = now()
    expect(await storedFor(before)).toEqual([true, 1])
    clock.advance("1 second")
    const changed = await realm.put(`/v2/users/${user.id}`, { user: { password: OTHER_PASSWORD } })
    expect(changed.status).toBe(200)
    expect(await storedFor(before)).toEqual([false, 0])
    expect(await storedFor(now())).toEqual([true, 1])
  }))

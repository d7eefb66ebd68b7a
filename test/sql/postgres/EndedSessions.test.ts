import { DateTime, Effect } from "effect"
import { expect, test } from "vitest"
import { KnownBrowsersRepo } from "#store/login/KnownBrowsersRepo"
import { BrowserSessionsRepo } from "#store/sessions/BrowserSessionsRepo"
import { STARTS_AT } from "#testing/TestSallyport"
import { awaitBlockedConnection, holdLocks } from "../../support/locks.ts"
import { query } from "../../support/query.ts"
import { idOf, repositoriesOn } from "../../support/repositories.ts"
import { isolatedService } from "../../support/sallyport.ts"

test("a browser session is skipped without an error if it ends while being stored", () =>
  isolatedService(async (own) => {
    const realm = await own.given.realm()
    const [user, app] = [await realm.user(), await realm.connectedApp()]
    const session = await realm.session(user.id)
    const now = DateTime.makeUnsafe(STARTS_AT)
    const kept = {
      id: "digest",
      realmId: idOf("realm", realm.id),
      appId: idOf("app", app.id),
      userId: idOf("user", user.id),
      sessionId: idOf("session", session.id),
      sid: idOf("session", session.id),
      orgId: null,
      authentication: null,
      signupNotice: null,
      createdAt: now,
      provedAt: now,
      expiresAt: DateTime.add(now, { hours: 1 })
    }
    const ending = await holdLocks(own, own.otherSql`delete from sessions where id = ${session.id}`)
    const insert = Effect.gen(function* () {
      const [sessions, browsers] = [yield* BrowserSessionsRepo, yield* KnownBrowsersRepo]
      yield* browsers.replace([sessions.insertion(kept, now)], [], kept, now)
    })
    const stored = Effect.runPromise(own.sql.withTransaction(Effect.provide(insert, repositoriesOn(own.sql))))
    await awaitBlockedConnection(own)
    await ending.release()
    await stored
    expect(await query(own.sql`select id from browser_sessions`)).toEqual([])
  }))

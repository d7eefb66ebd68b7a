import * as Redacted from "effect/Redacted"
import { Client } from "pg"
import { expect, test } from "vitest"
import { Given } from "#testing/Given"
import { start } from "#testing/promise"
import { freshDatabase } from "../../support/databases.ts"
import { authenticate, PASSWORD } from "../../support/logins.ts"

/**
 * While a login is under way, versions of rows that others have replaced stay on the two pages that this table fills. More at once would
 * fill them on a busy machine, whatever the statement changes.
 */
const [USERS, LOGINS, AT_ONCE] = [20, 200, 2]

/** What PostgreSQL counted of updates, by table. Connections report what they did when they end, or soon after. */
const updatesOf = async (url: string, atLeast: number) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    for (;;) {
      const { rows } = await client.query<{ table: string; updated: number; hot: number }>(
        `select relname as table, n_tup_upd::int as updated, n_tup_hot_upd::int as hot from pg_stat_user_tables
          where relname in ('attempts', 'users') order by relname`
      )
      if (rows.every(({ updated }) => updated >= atLeast)) return rows
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  } finally {
    await client.end()
  }
}

test("logins update users and attempts without touching an index: more than 95 % of their updates are HOT", async () => {
  const database = await freshDatabase()
  if (database._tag !== "Postgres") throw new Error("This test needs PostgreSQL.")
  const started = await start({ database })
  const realm = await new Given(started.url, started.key).realm()
  const users = await Promise.all(
    Array.from({ length: USERS }, async () => (await realm.user({ password: PASSWORD })).id)
  )
  for (let first = 0; first < LOGINS; first += USERS) {
    await started.advance("1 second")
    for (let next = 0; next < USERS; next += AT_ONCE) {
      const replies = await Promise.all(users.slice(next, next + AT_ONCE).map((id) => authenticate(realm, id)))
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    }
  }
  await started.stop()

  const updates = await updatesOf(Redacted.value(database.url), LOGINS)
  expect(updates.map(({ table }) => table)).toEqual(["attempts", "users"])
  for (const { table, updated, hot } of updates) expect([table, hot / updated > 0.95]).toEqual([table, true])
}, 60_000)

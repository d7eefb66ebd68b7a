import * as Redacted from "effect/Redacted"
import { Client } from "pg"
import { expect, test } from "vitest"
import { Given } from "#testing/Given"
import { start } from "#testing/promise"
import { freshDatabase, withPlainUrl } from "../../support/databases.ts"
import { authenticate, PASSWORD } from "../../support/logins.ts"

/**
 * Logins run one after the other. Concurrent logins would retain replaced row versions on this table's two pages, which
 * fill up on a busy machine whatever the statement changes.
 */
const [USERS, LOGINS] = [20, 200]

/**
 * Leaves most of each page free, so that only an index can prevent a HOT update, and not a full page on a busy machine.
 */
const leaveRoom = async (url: string) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query("alter table attempts set (fillfactor = 10); alter table users set (fillfactor = 10)")
  await client.end()
}

/** PostgreSQL's update counts by table. Connections report their counts when they end, or soon after. */
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

test("more than 95 % of the updates at login are HOT, because they change no indexed column", async () => {
  const database = await freshDatabase()
  if (database._tag !== "Postgres") throw new Error("This test needs PostgreSQL.")
  const started = await start({ database: withPlainUrl(database) })
  await leaveRoom(Redacted.value(database.url))
  const realm = await new Given(started.url, started.key).realm()
  const users = await Promise.all(
    Array.from({ length: USERS }, async () => (await realm.user({ password: PASSWORD })).id)
  )
  for (let first = 0; first < LOGINS; first += USERS) {
    await started.advance("1 second")
    for (const id of users) expect((await authenticate(realm, id)).status).toBe(200)
  }
  await started.stop()

  const updates = await updatesOf(Redacted.value(database.url), LOGINS)
  expect(updates.map(({ table }) => table)).toEqual(["attempts", "users"])
  for (const { table, updated, hot } of updates) expect(hot / updated, table).toBeGreaterThan(0.95)
}, 60_000)

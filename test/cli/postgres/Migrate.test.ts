import { randomBytes } from "node:crypto"
import { Effect } from "effect"
import { expect, test } from "vitest"
import { emptyDatabase, withDatabase } from "../../support/databases.ts"
import { cli } from "../Cli.ts"

test("shows the statement that grants the missing right to create tables", async () => {
  const url = await emptyDatabase()
  const user = `guest_${randomBytes(6).toString("hex")}`
  await withDatabase(url, (sql) => sql`create role ${sql(user)} login password 'guest'`)
  await withDatabase(url, (sql) => sql`revoke create on schema public from public`)
  const guest = new URL(url)
  guest.username = user
  guest.password = "guest"
  expect(await cli(["migrate"], { environment: { DATABASE_URL: guest.href } })).toMatchObject({
    code: 1,
    err: expect.stringContaining(
      `permission denied for schema public. Run as the owner of the database: GRANT USAGE, CREATE ON SCHEMA "public" TO "${user}";\nNothing was changed.\nsallyport doctor shows every privilege`
    )
  })
  await withDatabase(url, (sql) => sql`drop role ${sql(user)}`)
})

test("migrates an empty database to this release, and changes nothing the second time", async () => {
  const environment = { DATABASE_URL: await emptyDatabase() }
  const dry = await cli(["migrate", "--dry-run"], { environment })
  const list = [...dry.out.matchAll(/^ {2}(\d{4}_\w+)$/gm)].map(([, name]) => name)
  const last = list.at(-1)
  expect(list.length).toBeGreaterThan(5)
  expect(dry).toMatchObject({ code: 0, err: "" })
  expect(dry.out).toMatch(
    new RegExp(
      `^Database: PostgreSQL at \\S+\nVersion: {2}nothing yet → ${last}\n\n${list.length} migrations would be applied:\n`
    )
  )

  // Two nodes of a new release may migrate at the same time. Each migration is applied by one of them.
  const both = await Promise.all([1, 2].map(() => cli(["migrate", "--json"], { environment })))
  expect(both.map(({ code }) => code)).toEqual([0, 0])
  const reports = both.map(({ out }) => JSON.parse(out))
  expect(reports.flatMap(({ migrations }) => migrations).sort()).toEqual(list)
  expect(reports).toEqual(
    reports.map(({ migrations, milliseconds, before, database }) => ({
      database,
      before,
      after: last,
      dry_run: false,
      migrations,
      milliseconds
    }))
  )

  const again = await cli(["migrate"], { environment })
  expect(again.out).toMatch(
    new RegExp(
      `^Database: PostgreSQL at \\S+\nVersion: {2}${last}\n\nAll migrations are applied \\(\\d+\\.\\d s\\)\\.\n$`
    )
  )
})

test("rejects a database that a later release has migrated, and leaves it unchanged", async () => {
  const url = await emptyDatabase()
  await withDatabase(url, (sql) =>
    Effect.gen(function* () {
      yield* sql`create table schema_migrations (version integer primary key, name text, checksum text, applied_at timestamptz)`
      yield* sql`insert into schema_migrations values (9999, 'later', 'x', null)`
    })
  )
  const expected = {
    code: 1,
    out: "",
    err: "Error: The database is newer than this release: it contains migration 9999_later, which this release does not know.\nNothing was changed.\nRun the release that migrated it, or a later one. This release can't go back.\n"
  }
  expect(await cli(["migrate"], { environment: { DATABASE_URL: url } })).toEqual(expected)
  expect(await cli(["migrate", "--dry-run"], { environment: { DATABASE_URL: url } })).toEqual(expected)
})

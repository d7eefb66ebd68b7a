import { Effect, Redacted } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { Client } from "pg"
import { expect, test } from "vitest"
import { inspect } from "#sql/Inspection"
import { freshDatabase } from "../../support/databases.ts"

const inspected = (url: string) =>
  inspect(Redacted.make(url), { processes: 1 }).pipe(
    Effect.provideServiceEffect(Reactivity.Reactivity, Reactivity.make),
    Effect.runPromise
  )

const databaseUrl = async () => {
  const target = await freshDatabase()
  return target._tag === "Postgres" ? Redacted.value(target.url) : ""
}

/** Runs statements as the owner of a database. */
const asOwner = async (url: string, ...statements: ReadonlyArray<string>) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

test("A database of this release, looked at by its owner: nothing is missing, and connections lead there directly", async () => {
  const found = await inspected(await databaseUrl())
  expect(found).toMatchObject({
    isReplica: false,
    pooler: { refuses: undefined, dropsSettings: false, isPerTransaction: false },
    privileges: { user: "sallyport", schema: "public", mayCreate: true, unusable: [], foreign: [] },
    migrations: { pending: [] },
    connections: { needed: 14 }
  })
  expect(found.number).toBeGreaterThan(140_000)
  expect(Math.abs(found.clock.ahead)).toBeLessThan(1_000)
  expect(found.connections.used).toBeGreaterThan(0)
})

test("Another user, who may read some tables and own none; a migration that is unknown, and then one that is missing", async () => {
  const url = await databaseUrl()
  const other = new URL(url)
  const role = `reader_${other.pathname.slice(-12)}`
  other.username = role
  other.password = "pw"
  await asOwner(
    url,
    `create role ${role} login password 'pw'`,
    `grant usage on schema public to ${role}`,
    `grant select on schema_migrations, users to ${role}`,
    `grant select, insert, update, delete on realms to ${role}`
  )
  const { privileges } = await inspected(other.href)
  expect(privileges).toMatchObject({ user: role, mayCreate: false })
  expect(privileges.foreign).toContain("realms")
  expect(privileges.unusable).toContain("users")
  expect(privileges.unusable).not.toContain("realms")

  await asOwner(url, "delete from schema_migrations where version = 11")
  expect((await inspected(url)).migrations).toMatchObject({ pending: [expect.stringMatching(/^0011_/)] })
  await asOwner(url, "insert into schema_migrations values (999, 'later', '', '2026-01-01')")
  expect((await inspected(url)).migrations).toMatchObject({ reason: "Newer" })
  await asOwner(url, `drop owned by ${role}`, `drop role ${role}`)
})

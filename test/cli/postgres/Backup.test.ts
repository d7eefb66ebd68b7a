import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Context, Effect, Layer, Redacted } from "effect"
import { afterAll, expect, test } from "vitest"
import { Given } from "#testing/Given"
import { TestSallyport } from "#testing/TestSallyport"
import { freshDatabase, withDatabase } from "../../support/databases.ts"
import { cli } from "../Cli.ts"

const SECRET = "8f14e45fceea167a5a36dedd4bea2543c9f0f895fb98ab9159f51fd0297e236d"

const folder = mkdtempSync(join(tmpdir(), "sallyport-backup-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A database with two realms, a provider and some events, which no service uses. */
const filledDatabase = async () => {
  const database = await freshDatabase()
  if (database._tag !== "Postgres") throw new Error("This file needs PostgreSQL.")
  const realms = await Effect.gen(function* () {
    const layer = TestSallyport.layer({ database, secrets: [SECRET] })
    const { transport, key } = Context.get(yield* Layer.build(layer), TestSallyport)
    return yield* Effect.promise(async () => {
      const given = new Given(transport, key)
      const [one, two] = [await given.realm({ jwt_algo: "rs256" }), await given.realm({ jwt_algo: "rs256" })]
      await one.authProvider()
      await one.put(`/v2/realms/${one.id}`, { realm: { name: "Renamed" } })
      return [one.id, two.id] as const
    })
  }).pipe(Effect.scoped, Effect.runPromise)
  return { url: Redacted.value(database.url), realms }
}

const checksOf = (out: string): Record<string, string> =>
  Object.fromEntries(
    JSON.parse(out).checks.map(({ check, verdict, says }: Record<"check" | "verdict" | "says", string>) => [
      check,
      `${verdict}: ${says}`
    ])
  )

test("C235, RG-18: detects a missing secret, key, index or row in a restored database", async () => {
  const { url, realms } = await filledDatabase()
  const verify = (secret = SECRET, ...words: ReadonlyArray<string>) =>
    cli(["backup", "verify", ...words, "--json"], { environment: { DATABASE_URL: url, SALLYPORT_SECRET: secret } })

  const whole = await verify()
  expect(whole).toMatchObject({ code: 0, err: "" })
  expect(JSON.parse(whole.out)).toMatchObject({
    ok: true,
    tables: expect.arrayContaining([{ table: "realms", rows: 3, checksum: expect.stringMatching(/^\d+$/) }])
  })
  expect(Object.keys(checksOf(whole.out))).toEqual([
    "restore",
    "migrations",
    "structure",
    "tables",
    "secrets",
    "signing keys",
    "newest event",
    "changes",
    "deliveries"
  ])

  const without = await verify("another-secret-of-more-than-thirty-two-characters")
  expect(without.code).toBe(1)
  expect(checksOf(without.out)).toMatchObject({
    secrets: "problem: 3 of 3 secrets can't be decrypted: auth_providers.client_secret (1), jwt_keys.secret (2).",
    "signing keys": expect.stringMatching(/^problem: 2 of 2 active signing keys can't produce signatures/)
  })

  // Swaps the public halves of two keys.
  await withDatabase(url, (sql) =>
    sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`update jwt_keys k set public_key = o.public_key from jwt_keys o where o.realm_id <> k.realm_id`
        yield* sql`drop index users_by_email`
        yield* sql`delete from event_changes`
      })
    )
  )
  expect(checksOf((await verify()).out)).toMatchObject({
    secrets: "ok: All secrets can be decrypted (3).",
    "signing keys": expect.stringMatching(/^problem: 2 of 2 active signing keys can't produce signatures/),
    structure: expect.stringMatching(
      /^problem: 1 of \d+ indexes, constraints and triggers are missing: users\.users_by_email\.$/
    ),
    changes: expect.stringMatching(/^problem: \d+ events? ha(s|ve) changes that don't match/)
  })
  await withDatabase(url, (sql) => sql`delete from jwt_keys`)
  await withDatabase(url, (sql) => sql`update events set event_at = event_at - interval '3 days'`)
  expect(checksOf((await verify()).out)).toMatchObject({
    "signing keys": `problem: 2 realms of 2 have no active signing key: ${[...realms].sort().join(", ")}.`,
    "newest event": expect.stringMatching(/^warning: The newest event is from \S+Z, 3 days ago\.$/)
  })
})

test("SEC-227: explains why a dump can't be restored, and deletes the new database", async () => {
  const database = await freshDatabase()
  const url = database._tag === "Postgres" ? Redacted.value(database.url) : ""
  const dump = join(folder, "backup.dump")
  const environment = { DATABASE_URL: url, SALLYPORT_SECRET: SECRET, PATH: folder }
  expect(await cli(["backup", "verify", dump], { environment })).toEqual({
    code: 1,
    out: "",
    err: `Error: There is no ${dump}.\nName a dump made by pg_dump --format=custom, or a copy of an embedded database's folder.\n`
  })
  writeFileSync(dump, "")
  expect(await cli(["backup", "verify", dump], { environment })).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringContaining("pg_restore can't be run: it is not on this machine.")
  })
  // A stand-in for pg_restore that prints an error and how it was called.
  const script = '#!/bin/sh\necho "pg_restore: error: called with $* and PGPASSWORD=${PGPASSWORD:+set}" >&2\nexit 1\n'
  writeFileSync(join(folder, "pg_restore"), script, { mode: 0o755 })
  const secret = new URL(url)
  secret.password ||= "secret-password"
  const failed = await cli(["backup", "verify", dump], { environment: { ...environment, DATABASE_URL: secret.href } })
  expect(failed).toMatchObject({ code: 1, out: "" })
  expect(failed.err).toMatch(
    /^Error: \S+backup\.dump can't be restored: called with --no-owner .*\/sallyport_verify_\w+\S* \S+backup\.dump and PGPASSWORD=set\.\n/
  )
  expect(failed.err).not.toContain(secret.password)
  // A read-only server such as a standby must not be reported as a privilege problem.
  const readOnly = `${url}${url.includes("?") ? "&" : "?"}options=-c%20default_transaction_read_only%3Don`
  expect(await cli(["backup", "verify", dump], { environment: { ...environment, DATABASE_URL: readOnly } })).toEqual({
    code: 1,
    out: "",
    err: "Error: The server in DATABASE_URL can't create a database to restore the backup into: cannot execute CREATE DATABASE in a read-only transaction.\nUse a server in DATABASE_URL that accepts writes. It need not be the server of the backup.\n"
  })
  const left = await withDatabase(
    url,
    (sql) => sql`select datname from pg_database where datname like 'sallyport_verify_%'`
  )
  expect(left).toEqual([])
})

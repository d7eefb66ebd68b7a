import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Context, Effect, Layer, Redacted } from "effect"
import { createLocalJWKSet, jwtVerify } from "jose"
import { afterAll, expect, test } from "vitest"
import { Given, GivenRealm } from "#testing/Given"
import { TestSallyport } from "#testing/TestSallyport"
import { emptyDatabase, withDatabase } from "../../support/databases.ts"
import { cli } from "../Cli.ts"

const SECRET = "8f14e45fceea167a5a36dedd4bea2543c9f0f895fb98ab9159f51fd0297e236d"
const PASSWORD = "correct horse battery"

const dataDir = mkdtempSync(join(tmpdir(), "sallyport-move-"))
writeFileSync(join(dataDir, "secret"), SECRET, { mode: 0o600 })
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

/** Runs a service while `use` runs. */
const serving = <A>(
  database: NonNullable<Parameters<typeof TestSallyport.layer>[0]>["database"],
  use: (service: TestSallyport["Service"]) => Promise<A>
) =>
  Effect.gen(function* () {
    const publicUrl = "https://id.example.test"
    const layer = TestSallyport.layer({ ...(database === undefined ? {} : { database }), publicUrl, secrets: [SECRET] })
    const service = Context.get(yield* Layer.build(layer), TestSallyport)
    return yield* Effect.promise(() => use(service))
  }).pipe(Effect.scoped, Effect.runPromise)

/** Values that a copy must preserve exactly, such as spaces in JSON and microseconds. */
const awkward = [
  `update realms set custom = '{"b" :  1,\n "a":"\\u0041 é \\" \\\\ 🦊"}' where reference = 'awkward'`,
  `update realms set jwt_fields = '{"a,b","q\\"uote",NULL,"",null}', created_at = '2026-03-29T02:30:00.123456+02'
    where reference = 'awkward'`
]

const awkwardValues = (url: string) =>
  withDatabase(
    url,
    (sql) => sql`select custom::text as custom, jwt_fields::text as fields, created_at::text as created from realms
      where reference = 'awkward'`
  )

test("C236: moves an embedded database to PostgreSQL with all credentials and tokens still valid", async () => {
  const url = await emptyDatabase()
  const environment = { SALLYPORT_DATA_DIR: dataDir, DATABASE_URL: url }
  const move = (...words: ReadonlyArray<string>) => cli(["move", ...words], { environment })
  const embedded = { _tag: "Embedded" as const, dataDir }

  const before = await serving(embedded, async ({ transport, key, sql }) => {
    const realm = await new Given(transport, key).realm({ jwt_algo: "rs256", reference: "awkward" })
    for (const text of awkward) await Effect.runPromise(Effect.orDie(sql.unsafe(text)))
    const user = await realm.user({ email: "ada@example.test", password: PASSWORD })
    const login = await realm.session(user.id)
    await realm.authProvider()
    const inUse = await move()
    expect(inUse).toMatchObject({
      code: 1,
      err: expect.stringMatching(/is in use by this process[^]*Stop that process/)
    })
    return {
      realm: realm.id,
      user: user.id,
      session: login.id,
      token: login.string("token"),
      apiKey: (await realm.as("write")).key ?? "",
      jwks: (await realm.get(`/realms/${realm.id}/jwks`)).text,
      events: (await realm.get("/v2/events")).text
    }
  })

  const dry = await move("--dry-run")
  expect(dry).toMatchObject({ code: 0, err: "", out: expect.stringMatching(/^users +1$/m) })
  expect(dry.out).toMatch(/rows of \d+ tables would be copied\. Nothing was changed\.\n$/)
  expect(await withDatabase(url, (sql) => sql`select from pg_tables where schemaname = 'public'`)).toEqual([])

  const moved = await move("--json")
  expect(moved.err).toBe("")
  expect(moved.code).toBe(0)
  expect(JSON.parse(moved.out)).toMatchObject({
    dry_run: false,
    tables: expect.arrayContaining([
      { table: "users", rows: 1 },
      { table: "jwt_keys", rows: 1 }
    ]),
    secret_file: join(dataDir, "secret"),
    unreadable_secrets: 0
  })
  expect(await awkwardValues(url)).toEqual([
    {
      custom: '{"b" :  1,\n "a":"\\u0041 é \\" \\\\ 🦊"}',
      fields: '{"a,b","q\\"uote",NULL,"",NULL}',
      created: "2026-03-29 00:30:00.123456+00"
    }
  ])
  // No sequences exist, so there are no positions to move.
  expect(await withDatabase(url, (sql) => sql`select from pg_class where relkind = 'S'`)).toEqual([])

  // Every secret decrypts, and every key's public half verifies its signatures.
  const verified = await cli(["backup", "verify"], { environment: { DATABASE_URL: url, SALLYPORT_SECRET: SECRET } })
  expect(verified).toMatchObject({ code: 0, err: "", out: expect.stringMatching(/\n9 ok, 0 warnings, 0 problems\n$/) })
  expect(verified.out).toContain("All secrets can be decrypted (2).")
  // The folder is also a backup. Its copy is checked with the secret inside it.
  const folder = await cli(["backup", "verify", dataDir], { environment: {} })
  expect(folder).toMatchObject({ code: 0, err: "", out: expect.stringMatching(/\n9 ok, 0 warnings, 0 problems\n$/) })
  expect(folder.out.split("\n").slice(3, 6)).toEqual(verified.out.split("\n").slice(3, 6))

  await serving({ _tag: "Postgres", url: Redacted.make(url), poolSize: 2 }, async ({ transport, key }) => {
    const realm = new GivenRealm(transport, key, before.realm)
    const own = new GivenRealm(transport, before.apiKey, before.realm)
    expect((await realm.get(`/realms/${before.realm}/jwks`)).text).toBe(before.jwks)
    expect((await realm.get("/v2/events")).text).toBe(before.events)
    const known = await own.post("/v2/users/ada@example.test/authenticate", { user: { password: PASSWORD } })
    expect(known.status).toBe(200)
    const keys = createLocalJWKSet(JSON.parse(before.jwks))
    for (const token of [before.token, known.string("token")]) {
      expect((await jwtVerify(token, keys)).payload.sub).toBe(before.user)
    }
    expect((await own.get(`/v2/sessions/${before.session}`)).status).toBe(200)
  })

  const again = await move()
  expect(again).toEqual({
    code: 1,
    out: "",
    err: "Error: The database in DATABASE_URL is not empty: it has rows in the table realms.\nNo rows were copied.\nUse an empty database, which CREATE DATABASE creates.\n"
  })
})

test("SEC-228: leaves PostgreSQL empty when a move fails halfway, and rejects a move without a target", async () => {
  expect(await cli(["move"], { environment: { SALLYPORT_DATA_DIR: dataDir } })).toMatchObject({
    code: 1,
    err: expect.stringContaining("DATABASE_URL is not set to a PostgreSQL database")
  })
  const nothing = join(dataDir, "nothing")
  const url = await emptyDatabase()
  expect(await cli(["move"], { environment: { SALLYPORT_DATA_DIR: nothing, DATABASE_URL: url } })).toMatchObject({
    code: 1,
    err: expect.stringContaining(`There is no database in ${nothing}`)
  })
  // Shadows a built-in PostgreSQL function, so that the copy fails halfway.
  await withDatabase(
    url,
    (sql) => sql`create function public.json_populate_recordset(anyelement, json) returns setof anyelement
    language plpgsql as 'begin raise exception ''The disk is full''; end'`
  )
  const name = new URL(url).pathname.slice(1)
  await withDatabase(url, (sql) => sql`alter database ${sql(name)} set search_path = public, pg_catalog`)
  const failed = await cli(["move"], { environment: { SALLYPORT_DATA_DIR: dataDir, DATABASE_URL: url } })
  expect(failed).toEqual({
    code: 1,
    out: "",
    err: "Error: The database can't be copied: The disk is full.\nNo rows were copied; PostgreSQL has at most empty tables. Both databases are unharmed.\n"
  })
  expect(await withDatabase(url, (sql) => sql`select from users`)).toEqual([])
  await withDatabase(url, (sql) => sql`drop function public.json_populate_recordset(anyelement, json)`)
  const again = await cli(["move"], { environment: { SALLYPORT_DATA_DIR: dataDir, DATABASE_URL: url } })
  expect(again).toMatchObject({ code: 0, err: "", out: expect.stringContaining("all tables match") })
  // A database with other contents is left unchanged.
  const other = await emptyDatabase()
  await withDatabase(other, (sql) => sql`create table invoices (id integer)`)
  const elsewhere = await cli(["move"], { environment: { SALLYPORT_DATA_DIR: dataDir, DATABASE_URL: other } })
  expect(elsewhere).toMatchObject({ code: 1, err: expect.stringContaining("not empty: it has a table invoices.") })
})

import { Context, Effect, Layer, Scope } from "effect"
import { expect, test } from "vitest"
import { Connections, layer as database } from "#sql/Database"
import { migration, readMigrations } from "#sql/MigrationFiles"
import { migrate } from "#sql/Migrations"
import type { Reply } from "#testing/Api"
import { Given, type GivenRealm } from "#testing/Given"
import { TestSallyport } from "#testing/TestSallyport"
import { freshLocalDatabase } from "../../support/databases.ts"
import { recordedStatements } from "../../support/statements.ts"

const password = "correct horse battery staple"

/** Creates, reads, changes and deletes most kinds of resources. Returns the requests that failed. */
const use = async (realm: GivenRealm): Promise<ReadonlyArray<string>> => {
  const { id: org } = await realm.org()
  const { id: user, body } = await realm.user({ password })
  const { id: membership } = await realm.membership(user, org)
  const { id: invitation } = await realm.invitation({ org_id: org })
  const { id: app } = await realm.connectedApp()
  const { id: provider } = await realm.authProvider()
  const { id: session } = await realm.session(user)
  const replies: ReadonlyArray<Reply> = [
    await realm.put(`/v2/users/${user}`, { user: { first_name: "Ada" } }),
    await realm.put(`/v2/orgs/${org}`, { org: { name: "Analytical Engines" } }),
    await realm.put(`/v2/memberships/${membership}`, { membership: { permissions: ["read"] } }),
    await realm.put(`/v2/client_apps/${app}`, { client_app: { name: "Notes" } }),
    await realm.put(`/v2/auth_providers/${provider}`, { auth_provider: { name: "Partner" } }),
    await realm.post("/v2/hooks", { hook: { destination: "https://a.example.test/in", event_type: ["org.created"] } }),
    await realm.post("/v2/jwt_keys", { jwt_key: { algo: "hs256", use: "sign" } }),
    await realm.post(`/v2/users/${user}/authenticate`, { user: { password } }),
    ...(await Promise.all(
      [
        "users",
        "orgs",
        "memberships",
        "invitations",
        "client_apps",
        "auth_providers",
        "sessions",
        "hooks",
        "jwt_keys",
        "events"
      ].map((noun) => realm.get(noun === "memberships" ? `/v2/memberships?user_id=${user}` : `/v2/${noun}`))
    )),
    await realm.get(`/v2/users/${user}`),
    await realm.delete(`/v2/sessions/${session}`),
    await realm.delete(`/v2/invitations/${invitation}`),
    await realm.delete(`/v2/memberships/${membership}`),
    await realm.delete(`/v2/users/${user}`),
    await realm.delete(`/v2/orgs/${org}`)
  ]
  expect(body).toMatchObject({ id: user })
  return replies.filter(({ status }) => status >= 300).map(({ status, text }) => `${status} ${text}`)
}

test("RG-14: old and new nodes keep serving while a later release adds columns to every table", async () => {
  const target = { ...(await freshLocalDatabase()), poolSize: 2 }
  const start = async () => {
    const connections = await Effect.runPromise(
      Effect.map(Layer.buildWithScope(database(target), Scope.makeUnsafe()), Context.get(Connections))
    )
    const layer = TestSallyport.layer({ connections }).pipe(Layer.provide(recordedStatements))
    const service = await Effect.runPromise(Layer.buildWithScope(layer, Scope.makeUnsafe()))
    const { key, transport } = Context.get(service, TestSallyport)
    return { ...connections, given: new Given(transport, key) }
  }
  const { fast, given, slow } = await start()
  const realm = await given.realm()
  // Twice, so that each connection has prepared the statements that it will repeat.
  for (const _ of [1, 2]) expect(await use(realm)).toEqual([])

  const later = Effect.gen(function* () {
    const tables = yield* fast<{ name: string }>`select tablename as name from pg_tables
      where schemaname = 'public' and tablename <> 'schema_migrations'`
    const columns = "add column of_later text, add column also_later integer not null default 1"
    const text = tables.map(({ name }) => `alter table ${name} ${columns}`).join(";\n")
    return yield* migrate({ reader: fast, writer: slow })([
      ...(yield* readMigrations()),
      migration("9001_later.sql", text)
    ])
  })
  expect(await Effect.runPromise(later)).toBe(1)
  expect(await use(realm)).toEqual([])
  const started = await start()
  expect(await use(await started.given.realm())).toEqual([])
})

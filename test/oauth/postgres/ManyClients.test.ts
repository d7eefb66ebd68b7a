import { Context, Effect, Layer, Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { afterAll, beforeAll, expect, test } from "vitest"
import { Connections, layer as databaseLayer } from "#sql/Database"
import { Given } from "#testing/Given"
import { type Started, start } from "#testing/promise"
import { freshDatabase, withPlainUrl } from "../../support/databases.ts"
import { oauthClient } from "../../support/oauth.ts"
import { claimsIn, sendAs, type TestClient } from "../../support/oauthTokens.ts"

let started: Started
let given: Given
let sql: SqlClient

beforeAll(async () => {
  const database = await freshDatabase()
  started = await start({ database: withPlainUrl(database) })
  given = new Given(started.url, started.key)
  const context = await Effect.runPromise(Layer.buildWithScope(databaseLayer(database), Scope.makeUnsafe()))
  sql = Context.get(context, Connections).fast
})

afterAll(() => started.stop())

const machineIn = async () => {
  const realm = await given.realm({ jwt_algo: "rs256" })
  const client: TestClient = await oauthClient(realm, { client_type: "machine" })
  return { realm, client }
}

type Machine = Awaited<ReturnType<typeof machineIn>>

const token = ({ realm, client }: Machine) => sendAs(client, realm, "token", { grant_type: "client_credentials" })

/** Copies a machine client the given number of times. All copies share its secret. */
const copyClient = async ({ realm, client }: Machine, count: number): Promise<ReadonlyArray<TestClient>> => {
  const ids = Array.from({ length: count }, (_, n) => `${client.id.slice(0, 4)}0${String(n).padStart(25, "0")}`)
  for (const [table, key] of [
    ["login_policies", "id"],
    ["oauth_clients", "id"],
    ["oauth_client_secrets", "client_id"]
  ] as const) {
    await Effect.runPromise(
      sql`insert into ${sql(table)} select (jsonb_populate_record(t, jsonb_build_object(${key}::text, n))).*
        from ${sql(table)} t, unnest(${ids}::text[]) n where t.realm_id = ${realm.id} and t.${sql(key)} = ${client.id}`
    )
  }
  return ids.map((id) => ({ ...client, id }))
}

test("SEC-212: a client keeps working while a thousand others fail to authenticate", async () => {
  const [quiet, busy] = [await machineIn(), await machineIn()]
  expect(claimsIn(await token(quiet))["client_id"]).toBe(quiet.client.id)
  const others = await copyClient(busy, 1_001)
  const wrong = others.map((client) => ({ ...client, secret: "ocs_wrong" }))
  const refused = await Promise.all(wrong.map((client) => sendAs(client, busy.realm, "introspect", { token: "x" })))
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([401]))

  expect(claimsIn(await token(quiet))["client_id"]).toBe(quiet.client.id)
  const rotated = await quiet.realm.post(`/v2/client_apps/${quiet.client.id}/rotate_secret`, {})
  const renewed = { ...quiet, client: { ...quiet.client, secret: rotated.string("client_secret") } }
  expect((await token(renewed)).status).toBe(200)
  expect((await quiet.realm.delete(`/v2/client_apps/${quiet.client.id}`)).status).toBe(204)
  expect((await token(renewed)).status).toBe(401)
})

test("C215: concurrent requests of many realms each get a token or error of their own realm", async () => {
  const machines = await Promise.all(Array.from({ length: 12 }, machineIn))
  const clients = machines.map(({ client }) => client)
  const strangers = machines.flatMap(({ realm }, n) => clients.slice(0, n).map((client) => ({ realm, client })))
  const [own, foreign] = await Promise.all([
    Promise.all(machines.map(token)),
    Promise.all(strangers.map((one) => sendAs(one.client, one.realm, "introspect", { token: "x" })))
  ])
  expect(own.map((reply) => claimsIn(reply)["client_id"])).toEqual(clients.map(({ id }) => id))
  expect(own.map((reply) => String(claimsIn(reply).iss).split("/").at(-1))).toEqual(
    machines.map(({ realm }) => realm.id)
  )
  expect(foreign.map(({ status }) => status)).toEqual(Array(66).fill(401))
})

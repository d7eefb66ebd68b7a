import { Context, Effect, Layer, Redacted, Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { afterAll, beforeAll, expect, test } from "vitest"
import { Connections, layer as databaseLayer } from "#sql/Database"
import type { Reply } from "#testing/Api"
import { Given, type GivenRealm } from "#testing/Given"
import { type Started, start } from "#testing/promise"
import { STARTS_AT } from "#testing/TestSallyport"
import { freshDatabase } from "../../support/databases.ts"
import { oauthClient } from "../../support/oauth.ts"
import { redeem, refresh, sendAs, storedCode, type TestClient, userinfo } from "../../support/oauthTokens.ts"
import { type ObservedPostgres, observePostgres } from "../../support/wireStatements.ts"

let observed: ObservedPostgres
let started: Started
let realm: GivenRealm
let sql: SqlClient
let client: TestClient
let userId: string

beforeAll(async () => {
  const database = await freshDatabase()
  if (database._tag !== "Postgres") throw new Error("These tests need PostgreSQL.")
  observed = await observePostgres(Redacted.value(database.url))
  started = await start({ startsAt: STARTS_AT, database: { ...database, url: observed.url } })
  const context = await Effect.runPromise(Layer.buildWithScope(databaseLayer(database), Scope.makeUnsafe()))
  sql = Context.get(context, Connections).fast
  realm = await new Given(started.url, started.key).realm()
  client = await oauthClient(realm)
  userId = (await realm.user()).id
})

afterAll(async () => {
  await started.stop()
  observed.close()
})

/** The minimum of statements over four calls, because one call per second also polls for other nodes' changes. */
const minStatements = async (call: () => Promise<Reply>) => {
  let count = Number.POSITIVE_INFINITY
  for (let round = 0; round < 4; round++) {
    await sendAs(client, realm, "introspect", { token: "x" })
    observed.statements.length = 0
    expect((await call()).status).toBe(200)
    count = Math.min(count, observed.statements.length)
  }
  return count
}

/** The number of statements for redemptions, and for the refreshes that follow. */
const statementCounts = async (scopes: ReadonlyArray<string>, params: Readonly<Record<string, string>> = {}) => {
  const codes: Array<string> = []
  while (codes.length < 4) codes.push(await storedCode(sql, realm, client, userId, { scopes }))
  let last: Reply | undefined
  const redeemed = await minStatements(async () => (last = await redeem(client, realm, codes.pop() ?? "")))
  const refreshed = await minStatements(
    async () => (last = await refresh(client, realm, last?.string("refresh_token") ?? "", params))
  )
  return { redeemed, refreshed, token: last?.string("access_token") ?? "" }
}

test("codes and refreshes take two SQL statements, userinfo and introspection take one, and machine tokens take zero", async () => {
  const { redeemed, refreshed, token } = await statementCounts(["openid", "offline_access"])
  expect([redeemed, refreshed]).toEqual([2, 2])
  expect(await minStatements(() => userinfo(realm, token))).toBe(1)
  expect(await minStatements(() => sendAs(client, realm, "introspect", { token }))).toBe(1)
  const machine = await oauthClient(realm, { client_type: "machine" })
  expect(await minStatements(() => sendAs(machine, realm, "token", { grant_type: "client_credentials" }))).toBe(0)
})

test("a token that contains memberships takes one more statement", async () => {
  const scopes = ["openid", "offline_access", "orgs"]
  expect(await statementCounts(scopes)).toMatchObject({ redeemed: 3, refreshed: 3 })
  expect(await statementCounts(scopes, { scope: "openid" })).toMatchObject({ redeemed: 3, refreshed: 2 })
})

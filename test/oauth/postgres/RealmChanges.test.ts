import { setTimeout } from "node:timers/promises"
import { Context, Effect, Layer, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { afterAll, beforeAll, expect, test } from "vitest"
import { Connections, layer as databaseLayer } from "#sql/Database"
import { RealmChangesRepo } from "#store/realms/RealmChangesRepo"
import { GivenRealm } from "#testing/Given"
import { type Started, start } from "#testing/promise"
import { freshDatabase, withPlainUrl } from "../../support/databases.ts"
import { oauthClient } from "../../support/oauth.ts"
import { sendAs, type TestClient } from "../../support/oauthTokens.ts"
import { type ObservedPostgres, observePostgres } from "../../support/wireStatements.ts"

let observed: ObservedPostgres
let nodes: ReadonlyArray<Started>
let sql: SqlClient

/** A machine client in a realm on two nodes: `here`, which makes changes, and `there`, which is observed. */
interface Machine {
  readonly here: GivenRealm
  readonly there: GivenRealm
  readonly client: TestClient
}

const run = Effect.runPromise

beforeAll(async () => {
  const database = await freshDatabase()
  if (database._tag !== "Postgres") throw new Error("These tests need PostgreSQL.")
  observed = await observePostgres(Redacted.value(database.url))
  nodes = [
    await start({ database: withPlainUrl(database) }),
    await start({ database: { ...database, url: observed.url } })
  ]
  sql = Context.get(await run(Layer.buildWithScope(databaseLayer(database), Scope.makeUnsafe())), Connections).fast
})

afterAll(async () => {
  for (const node of nodes) await node.stop()
  observed.close()
})

const machine = async (): Promise<Machine> => {
  const [one, two] = nodes
  if (one === undefined || two === undefined) throw new Error("Two nodes are required.")
  const { id } = await two.sallyport.realms.create({ name: "Realm", jwt_algo: "rs256" })
  const here = new GivenRealm(one.url, two.key, id)
  const client = await oauthClient(here, { client_type: "machine" })
  return { here, there: new GivenRealm(two.url, two.key, id), client }
}

/** The other node's response to a machine that requests a token. */
const responseOn = async ({ there, client }: Machine) => {
  const reply = await sendAs(client, there, "token", { grant_type: "client_credentials" })
  return reply.status === 200 ? "token" : reply.string("error")
}

/** Polls the other node until it gives this response, which takes at most a second after a change. */
const waitForResponse = async (one: Machine, expected: string) => {
  const changedAt = performance.now()
  for (;;) {
    const askedAt = performance.now()
    const found = await responseOn(one)
    if (found === expected) return
    expect([found, askedAt - changedAt < 1_000]).toEqual(["token", true])
    await setTimeout(10)
  }
}

/** The tables read by the other node's statements, except those of its jobs. */
const tablesRead = () =>
  observed.statements.flatMap((text) =>
    ["realm_changes", "oauth_clients", "jwt_keys", "realms r"].filter((table) => text.includes(`from ${table}`))
  )

/** A machine that the other node has cached. */
const cachedMachine = async () => {
  const one = await machine()
  expect(await responseOn(one)).toBe("token")
  return one
}

const deactivate = ({ here }: Machine) => here.put(`/v2/realms/${here.id}`, { realm: { state: "inactive" } })

test("C220: a node polls for changes once a second and rereads only the changed rows", async () => {
  const [one, other] = [await cachedMachine(), await cachedMachine()]
  /** The tables that the node reads until it has polled for changes. */
  const nextSecond = async () => {
    observed.statements.length = 0
    do {
      await setTimeout(10)
      expect([await responseOn(one), await responseOn(other)]).toEqual(["token", "token"])
    } while (!tablesRead().includes("realm_changes"))
    return tablesRead().join()
  }
  // The creation of the realms is reported again while transactions that began before it are open.
  while ((await nextSecond()) !== "realm_changes");
  expect((await one.here.put(`/v2/realms/${one.here.id}`, { realm: { name: "Renamed" } })).status).toBe(200)
  const again = new Set<string>()
  while (again.size < 4) for (const table of (await nextSecond()).split(",")) again.add(table)
  expect([...again].toSorted()).toEqual(["jwt_keys", "oauth_clients", "realm_changes", "realms r"])
})

test("SEC-222: a revocation, deletion or deactivation on another node takes effect within a second", async () => {
  const rotate = ({ here, client }: Machine) => here.post(`/v2/client_apps/${client.id}/rotate_secret`, {})
  const update = { client_app: { state: "inactive" } }
  const changes: ReadonlyArray<readonly [change: (one: Machine) => Promise<unknown>, answer: string]> = [
    [({ here, client }) => here.delete(`/v2/client_apps/${client.id}`), "invalid_client"],
    [({ here, client }) => here.put(`/v2/client_apps/${client.id}`, update), "invalid_client"],
    // The previous secret stays valid for a while, but not the one before it.
    [async (one) => [await rotate(one), await rotate(one)], "invalid_client"],
    [deactivate, "access_denied"]
  ]
  const machines: Array<Machine> = []
  for (const _ of changes) machines.push(await cachedMachine())
  await Promise.all(
    changes.map(async ([change, refused], n) => {
      const one = machines[n] ?? (await machine())
      await change(one)
      await waitForResponse(one, refused)
    })
  )
})

test("SEC-223: a node learns of a change even if the change is committed long after later changes", async () => {
  const [one, other] = [await cachedMachine(), await cachedMachine()]
  await run(
    sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`update realms set state = 'inactive' where id = ${one.here.id}`
        yield* Effect.promise(async () => {
          await deactivate(other)
          await waitForResponse(other, "access_denied")
          expect(await responseOn(one)).toBe("token")
        })
      })
    )
  )
  await waitForResponse(one, "access_denied")
})

test("SEC-223: a node rereads everything after missing too many changes or after a database switch", async () => {
  const one = await machine()
  await run(
    Effect.gen(function* () {
      const repo = yield* RealmChangesRepo
      expect((yield* repo.since(undefined)).realms).toBeUndefined()
      const { cursor } = yield* repo.since(undefined)
      yield* Effect.promise(() => deactivate(one))
      const seen = yield* repo.since(cursor)
      expect(seen.realms).toContain(one.here.id)
      yield* sql`insert into realm_changes (xid, realm_id)
        select pg_current_xact_id(), 'rl_' || n from generate_series(1, 1000) n`
      for (const { realms } of [yield* repo.since(cursor), yield* repo.since(seen.cursor)])
        expect(realms).toContain("rl_7")
      // Another server took over and has reused the numbers of the lost changes.
      expect((yield* repo.since({ ...cursor, server: "another" })).realms).toBeUndefined()
      // A backup of a database with far more transactions was restored into this one.
      yield* sql`insert into realm_changes (xid, realm_id) values ('9000000000000000000', ${one.here.id})`
      while ((yield* repo.deleteSome(10)) > 0);
      expect(yield* sql`select realm_id from realm_changes where realm_id !~ '^rl_[0-9]+$'`).toEqual([{ realm_id: "" }])
      expect((yield* repo.since(cursor)).realms).toBeUndefined()
      expect((yield* repo.since({ ...cursor, below: 2n ** 60n })).realms).toBeUndefined()
    }).pipe(Effect.provide(RealmChangesRepo.layer), Effect.provideService(SqlClient, sql))
  )
})

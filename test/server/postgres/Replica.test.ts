import { setTimeout } from "node:timers/promises"
import { Client } from "pg"
import { afterAll, beforeAll, expect, test } from "vitest"
import { earliestId } from "#domain/Ids"
import { Api } from "#testing/Api"
import { GivenRealm } from "#testing/Given"
import { cli } from "../../cli/Cli.ts"
import { firingAlerts } from "../../support/alerts.ts"
import { waitUntilReady } from "../../support/PostgresReplica.ts"
import { type PostgresServer, startPostgres } from "../../support/PostgresServer.ts"
import { readScrape } from "../../support/promql.ts"
import { severablePostgres } from "../../support/severable.ts"
import { type Running, start } from "../ServerProcess.ts"
import { ROOT_KEY } from "./FreshEnvironment.ts"

/** The limits of a user behind a pooler. One of the nodes runs in pooler mode. */
const limits = { statement_timeout: "120s", idle_in_transaction_session_timeout: "30s" }

const environment = {
  HOST: "127.0.0.1",
  SALLYPORT_ROOT_KEY: ROOT_KEY,
  // A busy machine can delay the replica.
  SALLYPORT_REPLICA_MAX_LAG_MILLISECONDS: "1000",
  SALLYPORT_SECRET: "8f14e45fceea167a5a36dedd4bea2543c9f0f895fb98ab9159f51fd0297e236d"
}

interface Node extends Running {
  readonly realm: GivenRealm
}

interface Pair {
  readonly primary: PostgresServer
  readonly replica: PostgresServer
  /** A connection to the replica. */
  readonly replaying: Client
  /** The proxy between the second node and the replica. */
  readonly network: Awaited<ReturnType<typeof severablePostgres>>
  readonly writer: Node
  readonly reader: Node
}

let pair: Pair

beforeAll(async () => {
  const primary = await startPostgres({ ...limits, synchronous_commit: "on", wal_keep_size: "256MB" })
  await waitUntilReady(primary.url)
  const replica = await primary.replicate?.()
  if (replica === undefined) throw new Error("No replica was started.")
  await waitUntilReady(replica.url)
  const network = await severablePostgres({ url: replica.url })
  const replaying = new Client({ connectionString: replica.url })
  await replaying.connect()
  const own = { ...environment, DATABASE_URL: primary.url }
  const [writer, reader] = await Promise.all([
    start({ ...own, DATABASE_REPLICA_URL: replica.url, SALLYPORT_DATABASE_POOLER: "none" }),
    start({ ...own, DATABASE_REPLICA_URL: network.url, SALLYPORT_DATABASE_POOLER: "transaction" })
  ])
  const { id } = await new Api(writer.url, ROOT_KEY).post("/v2/realms", {
    realm: { name: "Copied", jwt_algo: "hs256" }
  })
  const at = (node: Running): Node => ({ ...node, realm: new GivenRealm(node.url, ROOT_KEY, id) })
  pair = { primary, replica, replaying, network, writer: at(writer), reader: at(reader) }
}, 120_000)

afterAll(async () => {
  await pair.writer.stop("SIGKILL")
  await pair.reader.stop("SIGKILL")
  await pair.replaying.end()
  pair.network.close()
  await pair.replica.stop()
  await pair.primary.stop()
})

/** The number of reads that a node has counted, by result. */
const readsOf = async ({ url }: Running) => {
  const series = readScrape((await new Api(url, ROOT_KEY).get("/metrics")).text, 0)
  const counts = new Map(
    series
      .filter(({ name }) => name === "replica_reads_total")
      .map(({ labels, samples }) => [labels["result"] ?? "", samples[0]?.[1] ?? 0] as const)
  )
  return (result: string) => counts.get(result) ?? 0
}

/** The replica's lag in seconds, as measured by a node. */
const lagOf = async ({ url }: Running) =>
  readScrape((await new Api(url, ROOT_KEY).get("/metrics")).text, 0).find(({ name }) => name === "replica_lag_seconds")
    ?.samples[0]?.[1] ?? Number.NaN

/** The log entries of a node about its replica. */
const logged = ({ output }: Running): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  output()
    .split("\n")
    .filter((line) => line.startsWith("{") && line.includes("The replica"))
    .map((line) => {
      const { timestamp, pid, replica, ...fields }: Record<string, unknown> = JSON.parse(line)
      expect([typeof timestamp, typeof pid]).toEqual(["string", "number"])
      expect(replica).toMatch(/^PostgreSQL at 127\.0\.0\.1:\d+\/postgres$/)
      return fields
    })

const DAY = 86_400_000

const newest = "/v2/users?max_results=1&sort=id&direction=desc"

/** Requests lists until the replica serves them again. */
const answersAgain = async (node: Node) => {
  const before = (await readsOf(node))("replica")
  do {
    await setTimeout(50)
    expect((await node.realm.get(newest)).status).toBe(200)
  } while ((await readsOf(node))("replica") === before)
}

test("C241, SEC-230: lists include another node's latest writes, even while the replica is paused", async () => {
  const { writer, reader, replaying } = pair
  await answersAgain(reader)
  await answersAgain(writer)
  const before = await readsOf(reader)
  for (let n = 0; n < 200; n++) {
    if (n === 100) await replaying.query("select pg_wal_replay_pause()")
    const user = await writer.realm.user()
    const seen = await Promise.all([reader.realm.get(newest), writer.realm.get(newest)])
    expect(seen.map((list) => [list.status, list.string("collection", 0, "id")])).toEqual([
      [200, user.id],
      [200, user.id]
    ])
    if (n === 120) {
      await replaying.query("select pg_wal_replay_resume()")
      await Promise.all([answersAgain(reader), answersAgain(writer)])
    }
  }
  const after = await readsOf(reader)
  expect(after("behind") - before("behind")).toBeGreaterThanOrEqual(20)
  expect(after("replica") - before("replica")).toBeGreaterThanOrEqual(120)
  // Such a short pause is not logged.
  expect([logged(reader), logged(writer)]).toEqual([[], []])
  // The replica served the reads.
  const scans = async () => {
    const { rows } = await replaying.query<{ scans: string }>(
      "select coalesce(sum(coalesce(seq_scan, 0) + coalesce(idx_scan, 0)), 0) as scans from pg_stat_user_tables where relname = 'users'"
    )
    return Number(rows[0]?.scans)
  }
  await expect.poll(scans).toBeGreaterThanOrEqual(120)
})

test("C242: the replica serves lists and statistics, and the primary serves lookups by ID and key checks", async () => {
  const { primary, reader } = pair
  const root = new Api(reader.url, ROOT_KEY)
  const { id } = await root.post("/v2/realms", { realm: { name: "Listed", jwt_algo: "hs256" } })
  const realm = new GivenRealm(reader.url, ROOT_KEY, id)
  const ada = await realm.user({ first_name: "Ada", last_name: "Lovelace" })
  await answersAgain(reader)
  const before = (await readsOf(reader))("replica")
  const count = async () => (await readsOf(reader))("replica") - before
  const found = [
    await realm.get("/v2/users?search=lovelace"),
    await realm.get(`/v2/realms/${id}/statistics`),
    await realm.get("/v2/events"),
    await realm.get("/v2/exports"),
    await root.get("/v2/realms")
  ]
  expect(found.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(found[0]?.string("collection", 0, "id")).toBe(ada.id)
  expect(await count()).toBe(5)
  const single = [
    await realm.get(`/v2/users/${ada.id}`),
    await realm.get("/v2/users/nobody@example.test"),
    await realm.put(`/v2/users/${ada.id}`, { user: { reference: "4711" } }),
    await new Api(reader.url, "not-a-key-of-this-service").get("/v2/users")
  ]
  expect(single.map(({ status }) => status)).toEqual([200, 404, 200, 401])
  expect(await count()).toBe(5)

  // The read of the statistics writes the totals of past days to the primary.
  const database = new Client({ connectionString: primary.url })
  await database.connect()
  const day = (Math.floor(Date.now() / DAY) - 1) * DAY
  await database.query(
    `insert into events (realm_id, id, event_type, event_at, user_id, actor_type, changed)
     select realm_id, left($1, 13) || lpad(n::text, 16, '0'), event_type, $2, user_id, actor_type, changed
     from events cross join generate_series(1, 1000) n where realm_id = $3 and event_type = 'user.created' and user_id = $4`,
    [earliestId("event", day + 1), new Date(day + 1), id, ada.id]
  )
  const period = `from=${day / 1_000}&to=${(day + DAY) / 1_000}`
  const statistics = await realm.get(`/v2/realms/${id}/statistics?${period}`)
  expect(statistics.member("intervals", 0, "users_created")).toBe(1_000)
  const kept = await database.query("select count from event_counts where realm_id = $1 and count > 0", [id])
  await database.end()
  expect([kept.rows, await count()]).toEqual([[{ count: 1_000 }], 6])
})

test("C243, SEC-231: no read fails when a replica is lost, and the loss and the return are logged", async () => {
  const { reader, network } = pair
  await answersAgain(reader)
  // Only the interrupted read starts over.
  network.cutAt("from users")
  const failed = (await readsOf(reader))("failed")
  expect((await reader.realm.get(newest)).status).toBe(200)
  network.mend()
  expect([(await readsOf(reader))("failed") - failed, logged(reader)]).toEqual([1, []])
  await answersAgain(reader)

  const lost = { level: "WARN", message: "The replica can't be used, so all reads go to the primary." }
  const back = {
    level: "INFO",
    message: "The replica can be used again.",
    seconds: expect.any(Number),
    reads_on_primary: expect.any(Number)
  }
  const ofReplica = ["ReplicaUnused", "ReplicaBehind"]
  const scrape = async () => (await new Api(reader.url, ROOT_KEY).get("/metrics")).text
  const alerts = async (before: string) =>
    firingAlerts(before, await scrape()).filter((name) => ofReplica.includes(name))
  const first = await scrape()
  await answersAgain(reader)
  expect(await alerts(first)).toEqual([])
  const well = await scrape()
  network.silence()
  const from = performance.now()
  const lists = await Promise.all(Array.from({ length: 30 }, () => reader.realm.get(newest)))
  expect(lists.map(({ status }) => status)).toEqual(lists.map(() => 200))
  expect(performance.now() - from).toBeLessThan(5_000)
  const away = { ...lost, reason: "away", cause: "The replica does not respond." }
  const again = performance.now()
  expect((await reader.realm.get(newest)).status).toBe(200)
  expect(performance.now() - again).toBeLessThan(500)
  expect((await new Api(reader.url, ROOT_KEY).get("/readyz")).status).toBe(200)
  await expect.poll(() => logged(reader)).toEqual([away])
  expect(await alerts(well)).toContain("ReplicaUnused")
  await expect.poll(() => alerts(well), { interval: 250, timeout: 20_000 }).toEqual(ofReplica)
  network.mend()
  await answersAgain(reader)
  expect(logged(reader)).toEqual([away, back])

  network.cut()
  expect((await reader.realm.get(newest)).status).toBe(200)
  await expect.poll(() => logged(reader)).toEqual([away, back, { ...lost, reason: "away", cause: expect.any(String) }])
  network.mend()
  await answersAgain(reader)
  expect(logged(reader)).toHaveLength(4)
  await expect.poll(() => lagOf(reader)).toBeLessThan(2)
}, 120_000)

test("C244: a writable server configured as a replica serves no reads, and the doctor reports the server", async () => {
  const { primary, replica, replaying, reader, writer } = pair
  const found = async (url: string) => {
    const own = { ...environment, PORT: "65001", DATABASE_URL: primary.url, DATABASE_REPLICA_URL: url }
    const { out } = await cli(["doctor", "--json"], { environment: own })
    const { checks }: { readonly checks: ReadonlyArray<Readonly<Record<string, string>>> } = JSON.parse(out)
    return checks.filter(({ check }) => check === "replica").map(({ verdict, says }) => `${verdict}: ${says}`)
  }
  const nowhere = new URL(replica.url)
  nowhere.port = "1"
  expect([await found(replica.url), await found(primary.url), await found(nowhere.href)]).toEqual([
    [expect.stringMatching(/^ok: The replica PostgreSQL at \S+ is up to date\.$/)],
    [expect.stringMatching(/^warning: PostgreSQL at \S+ is not a replica, because it accepts writes\./)],
    [expect.stringMatching(/^warning: The replica PostgreSQL at \S+:1\/postgres can't be read: .*REFUSED/)]
  ])
  // Once promoted, the server diverges and no longer receives new writes.
  await replaying.query("select pg_promote(true, 30)")
  for (let n = 0; n < 3; n++) {
    const user = await writer.realm.user()
    expect((await reader.realm.get(newest)).string("collection", 0, "id")).toBe(user.id)
  }
  expect((await readsOf(reader))("not_following")).toBeGreaterThan(0)
  const last = { level: "WARN", reason: "not_following" }
  await expect.poll(() => logged(writer).at(-1)).toMatchObject(last)
  await expect.poll(() => logged(reader).at(-1)).toMatchObject(last)
})

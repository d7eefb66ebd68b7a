import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { Client } from "pg"
import { afterAll, beforeAll, expect, test } from "vitest"
import { Api } from "#testing/Api"
import { cli } from "../../cli/Cli.ts"
import { waitUntilReady } from "../../support/PostgresReplica.ts"
import { type PostgresServer, startPostgres } from "../../support/PostgresServer.ts"
import { localCertificate, severablePostgres } from "../../support/severable.ts"
import { bundle } from "../Bundle.ts"
import { launch, runToEnd, start } from "../ServerProcess.ts"
import { ROOT_KEY } from "./FreshEnvironment.ts"

const environment = {
  HOST: "127.0.0.1",
  SALLYPORT_ROOT_KEY: ROOT_KEY,
  SALLYPORT_DATABASE_POOLER: "none",
  SALLYPORT_SECRET: "8f14e45fceea167a5a36dedd4bea2543c9f0f895fb98ab9159f51fd0297e236d"
}

/** A primary, its standby, and a proxy in front of the primary that can be redirected to another server. */
let primary: PostgresServer
let standby: PostgresServer
let address: Awaited<ReturnType<typeof severablePostgres>>

const replicaOf = async (server: PostgresServer): Promise<PostgresServer> => {
  const replica = await server.replicate?.()
  if (replica === undefined) throw new Error("No replica was started.")
  await waitUntilReady(replica.url)
  return replica
}

beforeAll(async () => {
  primary = await startPostgres({ wal_keep_size: "256MB" })
  await waitUntilReady(primary.url)
  standby = await replicaOf(primary)
  address = await severablePostgres({ url: primary.url })
}, 60_000)

afterAll(async () => {
  address.close()
  await standby.stop()
})

const hostOf = (url: string) => new URL(url).host

/** One URL that lists several servers. */
const listOf = (...urls: readonly [string, ...ReadonlyArray<string>]) =>
  urls[0].replace(hostOf(urls[0]), urls.map(hostOf).join(","))

const asked = async (url: string, statement: string, values: ReadonlyArray<string> = []) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ readonly pid?: number }>(statement, [...values])
  await client.end()
  return rows
}

const realmsAt = async (url: string, id: string) => (await asked(url, "select from realms where id = $1", [id])).length

/** The process ids of the services' connections to a server. */
const pidsAt = async (url: string) =>
  (await asked(url, "select pid from pg_stat_activity where application_name = 'sallyport'")).map(({ pid }) => pid)

const setReadOnly = async (url: string, change: string) => {
  await asked(url, `alter system ${change}`)
  await asked(url, "select pg_reload_conf()")
}

const attempt = (url: string) => new Api(url, ROOT_KEY).post("/v2/realms", { realm: { name: "Kept" } })

/** Tries to create a realm until it succeeds. Until then, only "database unavailable" errors are acceptable. */
const writes = async (url: string): Promise<string> => {
  for (;;) {
    const answer = await attempt(url)
    if (answer.status === 201) return answer.id
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"])
    await setTimeout(20)
  }
}

test("C249: verifies the TLS certificate against the connected host, not the first host in the list", async () => {
  const server = await severablePostgres({ tls: true, url: primary.url })
  const certificate = join(mkdtempSync(join(tmpdir(), "sallyport-")), "certificate")
  writeFileSync(certificate, localCertificate)
  // Nobody listens on the first host, whose name isn't in the certificate.
  const list = server.url.replace(hostOf(server.url), `127.0.0.2:1,localhost:${new URL(server.url).port}`)
  const { code, output } = await runToEnd(
    { ...environment, DATABASE_URL: list, NODE_EXTRA_CA_CERTS: certificate },
    "migrate"
  )
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining("127.0.0.2:1,localhost:") })
  server.close()
})

test("RG-04, C249: serves reads and returns 503 for writes while only a standby is reachable", async () => {
  const node = await start({ ...environment, DATABASE_URL: address.url })
  const api = new Api(node.url, ROOT_KEY)
  const id = await writes(node.url)
  // A primary that is read-only by default keeps its connections, so that reads continue.
  const before = await pidsAt(primary.url)
  await setReadOnly(primary.url, "set default_transaction_read_only = on")
  await expect.poll(async () => (await attempt(node.url)).status).toBe(503)
  expect((await api.get(`/v2/realms/${id}`)).status).toBe(200)
  expect(await pidsAt(primary.url)).toEqual(expect.arrayContaining(before))
  await setReadOnly(primary.url, "reset default_transaction_read_only")
  await writes(node.url)

  while ((await realmsAt(standby.url, id)) === 0) await setTimeout(20)
  address.leadTo(standby.url)
  address.cut()
  address.mend()
  while ((await api.get(`/v2/realms/${id}`)).status !== 200) await setTimeout(20)
  const refused = await attempt(node.url)
  expect([refused.status, refused.headers.get("retry-after"), refused.errors]).toEqual([
    503,
    "1",
    ["The service can't reach its database. Try again in a moment."]
  ])
  expect(node.output()).toContain("cannot execute INSERT in a read-only transaction")
  // Only the service itself can close the connections to the standby.
  address.leadTo(primary.url)
  expect(await realmsAt(primary.url, await writes(node.url))).toBe(1)
  await node.stop("SIGKILL")
}, 60_000)

test("RG-04, C249: finds the writable server in the host list again after a failover, without a restart", async () => {
  const list = listOf(standby.url, address.url)
  const node = await start({ ...environment, DATABASE_URL: list })
  const before = await writes(node.url)
  while ((await realmsAt(standby.url, before)) === 0) await setTimeout(20)
  const looked = await cli(["doctor"], { environment: { ...environment, DATABASE_URL: list } })
  expect(looked.out).toContain(`${hostOf(address.url)} accepts writes.`)

  await primary.stop()
  const refused = await attempt(node.url)
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"])
  // A service that starts during the failover waits.
  const late = launch(await bundle(), { ...environment, DATABASE_URL: list }, "serve")
  const said = new RegExp(
    `None of the servers accepts writes \\(${hostOf(standby.url)}: read-only; ${hostOf(address.url)}: `
  )
  await expect.poll(late.output, { timeout: 30_000 }).toMatch(said)
  await asked(standby.url, "select pg_promote(true, 30)")
  await expect.poll(late.output, { timeout: 30_000 }).toContain("Sallyport is ready")
  late.child.kill("SIGKILL")
  expect(await realmsAt(standby.url, await writes(node.url))).toBe(1)
  expect((await new Api(node.url, ROOT_KEY).get(`/v2/realms/${before}`)).status).toBe(200)
  expect(node.output()).toContain("Another server of the database accepts writes now.")

  // The old primary returns at its address as a standby of the new one.
  const returned = await replicaOf(standby)
  address.leadTo(returned.url)
  const other = await start({ ...environment, DATABASE_URL: listOf(address.url, standby.url) })
  const after = await Promise.all([writes(other.url), writes(node.url)])
  expect(await Promise.all(after.map((id) => realmsAt(standby.url, id)))).toEqual([1, 1])
  await asked(
    standby.url,
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sallyport'"
  )
  expect(await realmsAt(standby.url, await writes(other.url))).toBe(1)
  await node.stop("SIGKILL")
  await other.stop("SIGKILL")
  await returned.stop()
}, 60_000)

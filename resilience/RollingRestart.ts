import { randomBytes } from "node:crypto"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { parseArgs } from "node:util"
import { Api } from "#testing/Api"
import { buildService } from "../test/harness/Build.ts"
import { withClient } from "../test/harness/Database.ts"
import { table, whole } from "../test/harness/Figures.ts"

import { startCrashablePostgres } from "./chaos/CrashablePostgres.ts"
import { type Account, sendUntil, type Traffic } from "./rolling/Clients.ts"
import { makeNode, type Node } from "./rolling/Nodes.ts"
import { type Proxy, startProxy } from "./rolling/Proxy.ts"
import { addMigration, buildRelease } from "./rolling/Release.ts"

const NODES = 3
const USERS = 40

/**
 * The time under load before the first restart and after each restart, in milliseconds. In this time, HAProxy must
 * notice that a node is ready.
 */
const QUIET = 2_000

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    clients: { type: "string", default: "32" },
    from: { type: "string" },
    migration: { type: "string" },
    service: { type: "string" }
  }
})
const rounds = Number(options.rounds)
const clients = Number(options.clients)

const began = performance.now()
const logProgress = (text: string) =>
  process.stderr.write(`${((performance.now() - began) / 1_000).toFixed(1)} s: ${text}\n`)

const results = new URL("results/rolling-restart", import.meta.url).pathname
const scratch = mkdtempSync(join(tmpdir(), "sallyport-rolling-"))
const rootKey = randomBytes(24).toString("hex")

/** A realm with a key and users who can log in. */
const prepare = async (port: number): Promise<Account> => {
  const root = new Api(`http://127.0.0.1:${port}`, rootKey)
  const realm = await root.post("/v2/realms", { realm: { name: "Rolling" } })
  const key = await root.post("/v2/api_keys", { api_key: { name: "rolling", level: "write", realm_id: realm.id } })
  const api = new Api(root.url, rootKey, realm.id)
  const password = `correct horse ${randomBytes(6).toString("hex")}`
  const users: Array<string> = []
  for (let index = 0; index < USERS; index++) {
    users.push((await api.post("/v2/users", { user: { email: `user-${index}@example.com`, password } })).id)
  }
  return { key: key.string("key"), realmId: realm.id, users, password }
}

interface Restarts {
  readonly stopped: Array<number>
  readonly started: Array<number>
  readonly wrongExits: Array<string>
}

/** Restarts one node after the other. */
const restartAll = async (nodes: ReadonlyArray<Node>, file: string): Promise<Restarts> => {
  const restarts: Restarts = { stopped: [], started: [], wrongExits: [] }
  await setTimeout(QUIET)
  for (let round = 1; round <= rounds; round++) {
    for (const [index, node] of nodes.entries()) {
      const { millis, code } = await node.stop()
      if (code !== 0) restarts.wrongExits.push(`node ${index + 1}: ${code}`)
      restarts.stopped.push(millis)
      restarts.started.push(await node.start(file))
      logProgress(`round ${round}: node ${index + 1} is back`)
      await setTimeout(QUIET)
    }
  }
  return restarts
}

/** Returns the acknowledged orgs that are missing from the database. */
const missingOrgs = (url: string, created: ReadonlyArray<string>): Promise<ReadonlyArray<string>> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ id: string }>("select id from orgs where id = any($1)", [[...created]])
    const stored = new Set(rows.map(({ id }) => id))
    return created.filter((id) => !stored.has(id))
  })

const seconds = (millis: ReadonlyArray<number>) => {
  const all = millis.map((each) => (each / 1_000).toFixed(1))
  return `${all.reduce((a, b) => (Number(a) < Number(b) ? a : b))} to ${all.reduce((a, b) => (Number(a) > Number(b) ? a : b))} s`
}

const report = (
  { millis, failed, created }: Traffic,
  { stopped, started, wrongExits }: Restarts,
  missing: ReadonlyArray<string>,
  postgres: string,
  proxy: Proxy
) => {
  const sorted = millis.toSorted((a, b) => a - b)
  const at = (share: number) => `${(sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(0)} ms`
  const nodes = [...proxy.answered].sort().map(([name, count]) => `${name} ${whole(count)}`)
  const rows: ReadonlyArray<ReadonlyArray<string>> = [
    [
      "from, to",
      `${options.from ?? "this release"}, ${options.migration === undefined ? "this release" : "this release with an additional migration"}`
    ],
    ["machine", `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown"}`],
    ["HAProxy, PostgreSQL, Node", `${proxy.version}, ${postgres}, ${process.versions.node}`],
    ["restarts", String(stopped.length)],
    ["time to stop and to start a node", `${seconds(stopped)}, ${seconds(started)}`],
    ["requests", whole(millis.length)],
    ["failed", whole(failed.length)],
    ["retried by HAProxy", whole(proxy.retried())],
    ["handled by", nodes.join(", ")],
    ["median, 99 %, slowest", `${at(0.5)}, ${at(0.99)}, ${at(1)}`],
    ["orgs created; of these lost", `${whole(created.length)}, ${whole(missing.length)}`]
  ]
  console.log(table(["rolling restart", ""], rows))
  const problems = [
    ...failed,
    ...missing.map((id) => `lost: ${id}`),
    ...wrongExits,
    ...(nodes.length < NODES ? [`Only ${nodes.length} nodes responded.`] : []),
    ...(created.length === 0 ? ["No org was created."] : [])
  ]
  for (const problem of problems.slice(0, 20)) logProgress(problem)
  writeFileSync(join(results, "latest.json"), `${JSON.stringify({ rows, problems }, null, 2)}\n`)
  if (problems.length > 0) process.exitCode = 1
}

mkdirSync(results, { recursive: true })
const file = buildService(options.service)
const earlier = options.from === undefined ? file : buildRelease(options.from, join(scratch, "earlier"))
const later = options.migration === undefined ? file : addMigration(file, options.migration, join(scratch, "later"))
const postgres = await startCrashablePostgres()
const nodes: Array<Node> = []
try {
  const environment = {
    DATABASE_URL: postgres.url,
    SALLYPORT_ROOT_KEY: rootKey,
    SALLYPORT_SECRET: randomBytes(24).toString("hex"),
    SALLYPORT_PUBLIC_URL: "https://localhost",
    SALLYPORT_TRUSTED_PROXIES: "127.0.0.1",
    SALLYPORT_LIMITS: "off"
  }
  for (let index = 0; index < NODES; index++) nodes.push(await makeNode(`node-${index + 1}`, environment, results))
  for (const node of nodes) await node.start(earlier)
  const account = await prepare(nodes[0]?.port ?? 0)
  const proxy = await startProxy(
    nodes.map(({ port }) => port),
    scratch
  )
  try {
    logProgress(`${NODES} nodes are ready behind HAProxy ${proxy.version}; ${clients} clients start`)
    const over = new AbortController()
    const [traffic, restarts] = await Promise.all([
      sendUntil(over.signal, clients, proxy, account),
      restartAll(nodes, later).finally(() => over.abort())
    ])
    report(traffic, restarts, await missingOrgs(postgres.url, traffic.created), postgres.version, proxy)
  } finally {
    await proxy.stop()
  }
} finally {
  await Promise.all(nodes.map((node) => node.stop()))
  await postgres.remove()
  rmSync(scratch, { recursive: true, force: true })
}

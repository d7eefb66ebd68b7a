import { randomBytes, randomInt } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { Client } from "pg"
import { Api } from "#testing/Api"
import { buildService } from "../test/harness/Build.ts"
import { table, whole } from "../test/harness/Figures.ts"

import { type CrashablePostgres, startCrashablePostgres } from "./chaos/CrashablePostgres.ts"
import { injectFaults, scheduleFaults } from "./chaos/Faults.ts"
import { checkInvariants, type InvariantResult } from "./chaos/Invariants.ts"
import { acknowledged, Ledger } from "./chaos/Ledger.ts"
import { type Nodes, startNodes } from "./chaos/Nodes.ts"
import { waitForDeliveries } from "./chaos/OpenDeliveries.ts"
import { Progress } from "./chaos/Progress.ts"
import { type Receiver, startReceiver } from "./chaos/Receiver.ts"
import { makeWriterRealm } from "./chaos/WriterRealm.ts"
import { runWriters, type WriterStats } from "./chaos/Writers.ts"

const NODES = 3
const WRITERS = 12
const USERS = 20

const { values: options } = parseArgs({
  options: {
    events: { type: "string", default: "20000" },
    kills: { type: "string", default: "30" },
    restarts: { type: "string", default: "5" },
    seed: { type: "string", default: String(randomInt(2 ** 31)) },
    service: { type: "string" }
  }
})
const plan = {
  events: Number(options.events),
  kills: Number(options.kills),
  restarts: Number(options.restarts),
  nodes: NODES
}
const seed = Number(options.seed)
const began = performance.now()
const seconds = () => (performance.now() - began) / 1_000
const logProgress = (text: string) => process.stderr.write(`${seconds().toFixed(1)} s: ${text}\n`)

const folder = new URL("results/chaos", import.meta.url).pathname
const ledgerFile = join(folder, "ledger.jsonl")
const rootKey = randomBytes(24).toString("hex")

/** Returns the processes that are not ready at the end. */
const unreadyNodes = async ({ ports }: Nodes): Promise<ReadonlyArray<string>> => {
  const problems: Array<string> = []
  for (const port of ports) {
    const ready = await new Api(`http://127.0.0.1:${port}`, undefined).get("/readyz").catch(() => undefined)
    if (ready?.status !== 200) problems.push(`${port}: ${ready?.status} ${ready?.text}`)
  }
  return problems
}

const report = (
  stats: WriterStats,
  receiver: Receiver,
  times: Record<string, string>,
  invariants: ReadonlyArray<InvariantResult>
) => {
  const messages = [...receiver.messages.values()]
  const repeats = messages.reduce((sum, { accepted }) => sum + Math.max(0, accepted - 1), 0)
  const rejected = messages.reduce((sum, each) => sum + each.rejected, 0)
  const retried = [...stats.retried].map(([what, count]) => `${what}: ${count}`).join(", ")
  const rows: ReadonlyArray<ReadonlyArray<string>> = [
    ["seed", String(seed)],
    ["processes killed; PostgreSQL stopped immediately", `${plan.kills}; ${plan.restarts}`],
    ["changes acknowledged", whole(stats.acknowledged)],
    ["of these after a retry", whole(stats.repeated)],
    ["retries, by response", retried || "none"],
    ["events at the receiver", whole(messages.filter(({ accepted }) => accepted > 0).length)],
    ["rejected by the receiver at first", whole(rejected)],
    ["accepted more than once", `${whole(repeats)} (${((100 * repeats) / Math.max(1, messages.length)).toFixed(2)} %)`],
    ...Object.entries(times)
  ]
  const judged = invariants.map(({ rule, broken }) => [rule, broken.length === 0 ? "yes" : `NO: ${broken.length}`])
  console.log(`${table(["chaos", ""], rows)}\n\n${table(["rule", "kept"], judged)}`)
  const broken = invariants.filter((verdict) => verdict.broken.length > 0)
  for (const { rule, broken: cases } of broken) logProgress(`broken: ${rule}\n  ${cases.slice(0, 5).join("\n  ")}`)
  const found = {
    at: new Date().toISOString(),
    seed,
    ...plan,
    acknowledged: stats.acknowledged,
    repeats,
    rejected,
    times
  }
  writeFileSync(join(folder, "latest.json"), `${JSON.stringify({ ...found, invariants }, null, 2)}\n`)
  if (broken.length > 0) process.exitCode = 1
}

const run = async (postgres: CrashablePostgres, nodes: Nodes, receiver: Receiver) => {
  const { key, users, realmId, hookId } = await makeWriterRealm(nodes.ports[0] ?? 0, rootKey, receiver, {
    writers: WRITERS,
    users: USERS
  })
  const ledger = await Ledger.open(ledgerFile)
  const progress = new Progress()
  const from = seconds()
  const [stats, recoveries] = await Promise.all([
    runWriters({ seed, ports: nodes.ports, key, users }, ledger, progress, plan.events),
    injectFaults(scheduleFaults(seed, plan), progress, nodes, postgres, logProgress)
  ])
  await ledger.close()
  const written = seconds()
  logProgress(`${progress.events} events recorded`)
  const client = new Client({ connectionString: postgres.url })
  await client.connect()
  try {
    const open = await waitForDeliveries(client, logProgress)
    const done = seconds()
    const { changes, open: unanswered } = acknowledged(ledgerFile)
    const invariants = await checkInvariants({ client, realmId, hookId, changes, messages: receiver.messages })
    const slowest = Math.max(0, ...recoveries)
    report(
      stats,
      receiver,
      {
        "seconds of writing": (written - from).toFixed(1),
        "seconds until all deliveries were completed": (done - written).toFixed(1),
        "longest time from PostgreSQL's return to an acknowledged change, ms": slowest.toFixed(0)
      },
      [
        { rule: "all deliveries are completed", broken: open === 0 ? [] : [`${open} are pending`] },
        { rule: "every change got a response", broken: unanswered === 0 ? [] : [`${unanswered} did not`] },
        ...invariants,
        { rule: "every request to the receiver was well-formed", broken: receiver.malformed },
        { rule: "every response was the expected one or a 503", broken: stats.wrong },
        {
          rule: "each 503 has a Retry-After",
          broken: stats.missingRetryAfter === 0 ? [] : [`${stats.missingRetryAfter} did not`]
        },
        { rule: "no process exited on its own", broken: nodes.unexpectedExits() },
        { rule: "each process is ready at the end", broken: await unreadyNodes(nodes) }
      ]
    )
  } finally {
    await client.end()
  }
}

const file = buildService(options.service)
mkdirSync(folder, { recursive: true })
logProgress(`seed ${seed}: ${plan.events} events, ${plan.kills} kills, ${plan.restarts} stops of PostgreSQL`)
const receiver = await startReceiver(seed)
const postgres = await startCrashablePostgres()
try {
  const nodes = await startNodes(
    NODES,
    file,
    {
      DATABASE_URL: postgres.url,
      SALLYPORT_ROOT_KEY: rootKey,
      SALLYPORT_SECRET: randomBytes(24).toString("hex"),
      SALLYPORT_PUBLIC_URL: "http://chaos.test",
      SALLYPORT_ALLOW_PRIVATE_TARGETS: "true",
      SALLYPORT_LIMITS: "off"
    },
    folder
  )
  try {
    await run(postgres, nodes, receiver)
  } finally {
    await nodes.stop()
  }
} finally {
  receiver.stop()
  await postgres.remove()
}

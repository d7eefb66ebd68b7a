import { spawnSync } from "node:child_process"
import { setTimeout } from "node:timers/promises"
import { withClient } from "../../test/harness/Database.ts"
import { whole } from "../../test/harness/Figures.ts"

import { startCrashablePostgres } from "../chaos/CrashablePostgres.ts"
import { runWithLedger } from "./LedgerRun.ts"
import { statusSummary, whileReading } from "./Readers.ts"
import { NotPossibleHere, type Scenario, type Setting } from "./Scenario.ts"
import { startTcpSwitch } from "./TcpSwitch.ts"

/** How long the network is cut, in milliseconds. */
const CUT = 30_000

/**
 * The time after which a silent connection is closed, plus the time that a request waits for a connection, in
 * milliseconds.
 */
const RELEASE_MILLIS = 10_000
const WAIT = 5_000

/** Additional time for a busy machine, in milliseconds. */
const SLACK = 1_000

/** The maximum time from the network's return to an acknowledged change, in milliseconds. */
const BOUND = 5_000

const change = (how: "-A" | "-D", rules: ReadonlyArray<ReadonlyArray<string>>) =>
  rules.map((rule) => spawnSync("iptables", [how, "INPUT", "-i", "lo", "-p", "tcp", ...rule, "-j", "DROP"]).status)

/** A port of this machine whose packets can be dropped silently in both directions, as in a broken network. */
const droppable = (port: number) => {
  const rules = ["--dport", "--sport"].map((side) => [side, String(port)])
  const restore = () => change("-D", rules)
  if (change("-A", rules).some((status) => status !== 0)) {
    restore()
    throw new NotPossibleHere("Dropping packets requires iptables and root (Debian: apt-get install iptables).")
  }
  restore()
  const drop = () => {
    process.once("exit", restore)
    change("-A", rules)
  }
  return { drop, restore }
}

const run = async (setting: Setting) => {
  const postgres = await startCrashablePostgres()
  // The service uses a separate address for the database, so that this program can still reach it.
  const database = await startTcpSwitch(Number(new URL(postgres.url).port))
  const url = new URL(postgres.url)
  url.port = String(database.port)
  try {
    const network = droppable(database.port)
    const connections = () =>
      withClient(postgres.url, async (client) => {
        const { rows } = await client.query<{ count: number }>(
          "select count(*)::int as count from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()"
        )
        return rows[0]?.count ?? 0
      })
    const { figures, broken, stats } = await runWithLedger(setting, url.href, async (load) => {
      const { progress } = load
      await progress.reaches(progress.events + 200)
      const { reads, result } = await whileReading(load, async () => {
        network.drop()
        setting.logProgress("packets are being dropped")
        await setTimeout(CUT)
        network.restore()
        setting.logProgress("packets pass again")
        const restoredAt = performance.now()
        await progress.nextAnswer()
        return performance.now() - restoredAt
      }).finally(network.restore)
      await progress.reaches(progress.events + 200)
      const wrong = [...reads.statuses].filter(([status]) => status !== "200" && status !== "503")
      const slowest = Math.max(0, ...reads.millis)
      return {
        figures: [
          ["the network was cut for", `${CUT / 1_000} s`],
          ["reads in that time", statusSummary(reads)],
          ["slowest read", `${(slowest / 1_000).toFixed(1)} s`],
          ["from the network's return to a change acknowledged", `${(result / 1_000).toFixed(2)} s`],
          ["connections at the end", whole(await connections())]
        ],
        broken: [
          ...wrong.map(([status, count]) => `${count} reads: ${status}.`),
          ...(slowest > RELEASE_MILLIS + WAIT + SLACK ? [`A read took ${(slowest / 1_000).toFixed(1)} s.`] : []),
          ...(reads.statuses.has("503") ? [] : ["No read failed: the network was not cut."]),
          ...(result > BOUND ? [`It took ${(result / 1_000).toFixed(1)} s to work again.`] : [])
        ]
      }
    })
    const late =
      stats.slowest > RELEASE_MILLIS + WAIT + SLACK ? [`A write took ${(stats.slowest / 1_000).toFixed(1)} s.`] : []
    return { figures, broken: [...broken, ...late] }
  } finally {
    database.stop()
    await postgres.remove()
  }
}

/** The network between the nodes and PostgreSQL drops all packets, and later works again. */
export const networkCut: Scenario = {
  name: "network-cut",
  row: "RG-15",
  promise:
    "503 and nothing else; a connection is freed within 10 seconds, for which a request waits at most 5; works again within 5 seconds",
  run
}

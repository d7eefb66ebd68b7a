import { setTimeout } from "node:timers/promises"
import { whole } from "../../test/harness/Figures.ts"

import { runWithLedger } from "./LedgerRun.ts"
import { statusSummary, whileReading } from "./Readers.ts"
import type { Scenario, Setting } from "./Scenario.ts"
import { startOnSmallDisk } from "./SmallDisk.ts"

const DISK = 160

/** How long the disk stays full, and the time limit for acknowledging a change once there is space again, in milliseconds. */
const FULL = 15_000
const BOUND = 5_000

const run = async (setting: Setting) => {
  const disk = await startOnSmallDisk(DISK)
  try {
    const { figures, broken, stats } = await runWithLedger(setting, disk.postgres.url, async (load) => {
      const { progress } = load
      await progress.reaches(progress.events + 200)
      const { reads, result } = await whileReading(load, async () => {
        const before = progress.events
        const bytes = disk.fill()
        setting.logProgress(`the disk is full, after ${whole(bytes / 2 ** 20)} MiB more`)
        await setTimeout(FULL)
        const during = progress.events - before
        disk.clear()
        const cleared = performance.now()
        await progress.nextAnswer()
        return { during, recovered: performance.now() - cleared }
      })
      setting.logProgress("there is room again")
      await progress.reaches(progress.events + 200)
      const failed = [...reads.statuses].filter(([status]) => status !== "200")
      return {
        figures: [
          ["the disk was full for", `${FULL / 1_000} s`],
          ["reads in that time", statusSummary(reads)],
          ["events recorded in that time, if a table had room", whole(result.during)],
          ["from there being room to the next acknowledged change", `${(result.recovered / 1_000).toFixed(2)} s`]
        ],
        broken: [
          ...failed.map(([status, count]) => `${count} reads got ${status}.`),
          ...(reads.millis.length === 0 ? ["Nothing was read."] : []),
          ...(result.recovered > BOUND ? [`It took ${result.recovered} ms to work again.`] : [])
        ]
      }
    })
    const refused = stats.retried.get("503") ?? 0
    return { figures, broken: refused > 0 ? broken : [...broken, "No write failed: the disk was not full."] }
  } finally {
    await disk.remove()
  }
}

/** The disk with PostgreSQL's tables runs out of space, and later has space again. */
export const diskFull: Scenario = {
  name: "disk-full",
  row: "RG-09",
  promise:
    "writes get 503, reads continue, nothing acknowledged is lost; works again within 5 seconds once there is room",
  run
}

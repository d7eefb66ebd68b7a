import { setTimeout } from "node:timers/promises"
import { SeededRandom } from "../../test/harness/SeededRandom.ts"
import { freePort } from "../../test/harness/Servers.ts"
import { startCrashablePostgres } from "../chaos/CrashablePostgres.ts"
import { runWithLedger } from "./LedgerRun.ts"
import type { Scenario, Setting } from "./Scenario.ts"
import { addSynchronousStandby, promote } from "./Standby.ts"
import { inSeconds } from "./Times.ts"

/** The maximum time from the promotion of the standby to the next acknowledged change, in milliseconds. */
const BOUND = 5_000

const portOf = (url: string) => Number(new URL(url).port)

const medianAndMax = (times: ReadonlyArray<number>) => {
  const sorted = times.toSorted((a, b) => a - b)
  return `${inSeconds(sorted[Math.floor((sorted.length - 1) / 2)] ?? 0)}, ${inSeconds(sorted.at(-1) ?? 0)}`
}

const run = async (setting: Setting) => {
  const random = new SeededRandom(setting.seed, 3_000)
  const first = await startCrashablePostgres()
  let primary = first
  // In each round, the standby listens on the previous primary's port, so that the nodes always list the same two servers.
  let free = await freePort()
  const url = first.url.replace(/(?<=@)[^/]+/, (host) => `${host},127.0.0.1:${free}`)
  const addStandby = () => addSynchronousStandby(primary, free)
  const promoted: Array<number> = []
  const recovered: Array<number> = []
  let standby = await addStandby()
  try {
    const { figures, broken } = await runWithLedger(setting, url, async ({ progress }) => {
      for (let round = 1; round <= setting.rounds; round++) {
        if (round > 1) standby = await addStandby()
        await progress.reaches(progress.events + random.between(100, 400))
        await setTimeout(random.between(0, 500))
        await primary.kill()
        const ordered = performance.now()
        await promote(standby)
        promoted.push(performance.now() - ordered)
        await progress.nextAnswer()
        recovered.push(performance.now() - ordered)
        setting.logProgress(
          `round ${round}: ${progress.events} events; recovered after ${inSeconds(recovered.at(-1) ?? 0)}`
        )
        free = portOf(primary.url)
        if (primary !== first) await primary.remove()
        primary = standby
      }
      await progress.reaches(progress.events + 100)
      return {
        url: primary.url,
        figures: [
          ["failovers", String(recovered.length)],
          ["until the standby was promoted: median, longest", medianAndMax(promoted)],
          ["until a change was acknowledged: median, longest", medianAndMax(recovered)]
        ],
        broken: recovered
          .filter((time) => time > BOUND)
          .map((time) => `A failover took ${inSeconds(time)}; ${inSeconds(BOUND)} are allowed.`)
      }
    })
    return { figures, broken }
  } finally {
    await standby.remove()
    if (primary !== standby && primary !== first) await primary.remove()
    await first.remove()
  }
}

/**
 * The primary stops without a checkpoint, and its synchronous standby is promoted. The nodes' `DATABASE_URL` names both
 * servers.
 */
export const failover: Scenario = {
  name: "failover",
  row: "RG-04",
  promise: "nothing acknowledged is lost; works again within 5 seconds",
  run
}

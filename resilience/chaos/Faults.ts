import { SeededRandom } from "../../test/harness/SeededRandom.ts"
import type { CrashablePostgres } from "./CrashablePostgres.ts"
import type { Nodes } from "./Nodes.ts"
import type { Progress } from "./Progress.ts"

/**
 * A fault to inject. `at`: the number of recorded events that precede the fault. `after`: an additional delay in
 * milliseconds.
 */
export type Fault = { readonly at: number; readonly after: number } & (
  | { readonly kind: "kill"; readonly node: number }
  /** The time until PostgreSQL is started again, in milliseconds. */
  | { readonly kind: "restart"; readonly away: number }
)

/** Draws the faults from the seed. Their times are numbers of events, so that a slower machine gets the same faults. */
export const scheduleFaults = (
  seed: number,
  asked: { readonly events: number; readonly kills: number; readonly restarts: number; readonly nodes: number }
): ReadonlyArray<Fault> => {
  const random = new SeededRandom(seed, 2_000)
  const when = () => ({ at: random.between(1, Math.max(1, asked.events - 1)), after: random.between(0, 500) })
  const kills = Array.from({ length: asked.kills }, (): Fault => {
    const node = random.between(0, asked.nodes - 1)
    return { kind: "kill", node, ...when() }
  })
  const restarts = Array.from({ length: asked.restarts }, (): Fault => {
    const away = random.between(100, 2_000)
    return { kind: "restart", away, ...when() }
  })
  return [...kills, ...restarts].sort((a, b) => a.at - b.at)
}

/** The times from each return of PostgreSQL to the next acknowledged change, in milliseconds. */
export type Recoveries = ReadonlyArray<number>

const wait = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/** Injects all faults. Faults of the same node run one at a time, and so do faults of PostgreSQL. */
export const injectFaults = async (
  faults: ReadonlyArray<Fault>,
  progress: Progress,
  nodes: Nodes,
  postgres: CrashablePostgres,
  logProgress: (text: string) => void
): Promise<Recoveries> => {
  const recoveries: Array<number> = []
  const queues = new Map<string, Promise<void>>()
  const roundRobin = (what: string, then: () => Promise<void>) => {
    const next = (queues.get(what) ?? Promise.resolve()).then(then)
    queues.set(what, next)
    return next
  }

  const restart = async (away: number) => {
    await postgres.kill()
    await wait(away)
    await postgres.start()
    const accepted = performance.now()
    void progress.nextAnswer().then(() => recoveries.push(performance.now() - accepted))
  }

  const inject = async (fault: Fault) => {
    await progress.reaches(fault.at)
    await wait(fault.after)
    if (fault.kind === "kill") {
      logProgress(`${progress.events} events: killing process ${fault.node}`)
      await roundRobin(`${fault.node}`, () => nodes.kill(fault.node))
    } else {
      await roundRobin("postgres", () => {
        logProgress(`${progress.events} events: stopping PostgreSQL immediately, for ${fault.away} ms`)
        return restart(fault.away)
      })
    }
  }
  await Promise.all(faults.map(inject))
  return recoveries
}

import { quantile } from "../../test/harness/Figures.ts"
import { cpuSeconds, type Server, wakeUps } from "../../test/harness/Servers.ts"
import type { Case } from "./Cases.ts"
import { type Call, type Load, type Outcome, open } from "./Load.ts"

/** The length and the number of measurements. */
export interface Pace {
  readonly rounds: number
  readonly connections: number
  /** The length of the load before the first round, before each window and within each window, in milliseconds. */
  readonly prepare: number
  readonly warmUp: number
  readonly window: number
}

/** The figures of one server in one window. */
export interface Window {
  readonly requests: number
  readonly cpuMicros: number
  /** The number of times that the server's main thread was woken up, per request. */
  readonly wakeUps: number
  readonly throughput: number
  /** The share of one core that the server used, in percent. */
  readonly corePercent: number
  readonly p50: number
  readonly p99: number
}

/** The median, the minimum and the maximum of a figure over all rounds. */
export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

/** A server and its requests. It is measured in turn with other sides. */
export interface Side {
  readonly server: Server
  readonly next: () => Call
}

/** The figures of one side, compared with those of the first side. */
export interface Comparison {
  readonly name: string
  readonly window: Window
  /** The ratio of the first side's CPU time per request to this side's, in adjacent windows. */
  readonly cpuRatio: Spread
  /** The ratio of the first side's requests per second to this side's, in adjacent windows. */
  readonly throughputRatio: Spread
  /** The maximum `cpuRatio`, or undefined if there is no target. */
  readonly target: number | undefined
}

/** The figures of one case, for the service and for the servers that it is compared with. */
export interface CaseResult {
  readonly name: string
  readonly title: string
  readonly service: Window
  readonly others: ReadonlyArray<Comparison>
  readonly wrong: number
  readonly firstWrong: string | undefined
}

/** The median, the minimum and the maximum. */
export const spreadOf = (numbers: ReadonlyArray<number>): Spread => {
  const sorted = numbers.toSorted((a, b) => a - b)
  return { median: quantile(sorted, 0.5), min: quantile(sorted, 0), max: quantile(sorted, 1) }
}

const windowOf = ({ latencies, seconds }: Outcome, cpu: number, woken: number): Window => {
  const sorted = latencies.toSorted((a, b) => a - b)
  const requests = latencies.length
  return {
    requests,
    cpuMicros: (cpu / requests) * 1_000_000,
    wakeUps: woken / requests,
    throughput: requests / seconds,
    corePercent: (cpu / seconds) * 100,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99)
  }
}

const medianOf = (windows: ReadonlyArray<Window>): Window => {
  const median = (pick: (window: Window) => number) => spreadOf(windows.map(pick)).median
  return {
    requests: windows.reduce((sum, { requests }) => sum + requests, 0),
    cpuMicros: median((window) => window.cpuMicros),
    wakeUps: median((window) => window.wakeUps),
    throughput: median((window) => window.throughput),
    corePercent: median((window) => window.corePercent),
    p50: median((window) => window.p50),
    p99: median((window) => window.p99)
  }
}

/** Moves the first `count` items to the end. */
const rotated = <A>(items: ReadonlyArray<A>, count: number): ReadonlyArray<A> => {
  const at = count % items.length
  return [...items.slice(at), ...items.slice(0, at)]
}

/** Sends requests to each server in turn before anything is measured. */
export const warmUp = async (servers: ReadonlyArray<Server>, next: () => Call, pace: Pace): Promise<void> => {
  for (const { port } of servers) {
    const load = open(port, pace.connections)
    await load.run(pace.prepare, next)
    load.close()
  }
}

/** Measures several sides in turn. Each round starts with another side. */
export const measureSides = async (sides: ReadonlyArray<Side>, pace: Pace) => {
  const measured = sides.map(({ server, next }) => {
    const windows: Array<Window> = []
    return { server, next, windows, load: open(server.port, pace.connections) }
  })
  let wrong = 0
  let firstWrong: string | undefined
  const loaded = async (load: Load, next: () => Call, milliseconds: number) => {
    const outcome = await load.run(milliseconds, next)
    wrong += outcome.wrong
    firstWrong ??= outcome.firstWrong
    return outcome
  }
  for (const { load, next } of measured) await loaded(load, next, pace.prepare)
  for (let round = 0; round < pace.rounds; round++) {
    for (const { server, next, windows, load } of rotated(measured, round)) {
      await loaded(load, next, pace.warmUp)
      const before = { cpu: cpuSeconds(server), woken: wakeUps(server) }
      const outcome = await loaded(load, next, pace.window)
      windows.push(windowOf(outcome, cpuSeconds(server) - before.cpu, wakeUps(server) - before.woken))
    }
  }
  for (const { load } of measured) load.close()
  return { windows: measured.map(({ windows }) => windows), wrong, firstWrong }
}

/** A side that the first one is compared with. */
export interface Other extends Side {
  readonly target: number | undefined
}

/** Measures a case on the service and on the other sides in turn. */
export const measureCase = async (
  { name, title }: Pick<Case, "name" | "title">,
  service: Side,
  others: ReadonlyArray<Other>,
  pace: Pace
): Promise<CaseResult> => {
  const { windows, wrong, firstWrong } = await measureSides([service, ...others], pace)
  const [ours = [], ...theirs] = windows
  const compared = others.map(({ server, target }, n): Comparison => {
    const its = theirs[n] ?? []
    const ratio = (pick: (window: Window) => number) =>
      spreadOf(
        ours.flatMap((window, round) => {
          const other = its[round]
          return other === undefined ? [] : [pick(window) / pick(other)]
        })
      )
    return {
      name: server.name,
      window: medianOf(its),
      cpuRatio: ratio((window) => window.cpuMicros),
      throughputRatio: ratio((window) => window.throughput),
      target
    }
  })
  return { name, title, service: medianOf(ours), others: compared, wrong, firstWrong }
}

import { cpuSeconds, type Server } from "../harness/Servers.ts"
import type { Case } from "./Cases.ts"
import { type Load, type Outcome, open } from "./Load.ts"

/** The duration and the number of measurements. */
export interface Pace {
  readonly rounds: number
  readonly connections: number
  /** Milliseconds of load: before the first round, before each window, and within each window. */
  readonly prepare: number
  readonly warmUp: number
  readonly window: number
}

/** The figures of one server in one window. */
export interface Window {
  readonly requests: number
  readonly cpuMicros: number
  readonly perCpuSecond: number
  readonly throughput: number
  /** The share of one core that the server used, in percent. */
  readonly corePercent: number
  readonly p50: number
  readonly p99: number
}

/** The median, the minimum and the maximum of a figure over all rounds. */
export interface Spread {
  readonly median: number
  readonly least: number
  readonly most: number
}

/** The figures of one case for both servers. */
export interface PairedResult {
  readonly name: string
  readonly title: string
  readonly target: number | undefined
  /** CPU per request, service divided by baseline, of neighbouring windows. */
  readonly cpuRatio: Spread
  /** Requests per CPU-second, service divided by baseline. */
  readonly perCpuSecondRatio: Spread
  readonly service: Window
  readonly baseline: Window
  readonly wrong: number
  readonly firstWrong: string | undefined
}

/** The value at a quantile of sorted numbers. */
export const quantile = (sorted: ReadonlyArray<number>, q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN

/** The median, the minimum and the maximum. */
export const spreadOf = (numbers: ReadonlyArray<number>): Spread => {
  const sorted = numbers.toSorted((a, b) => a - b)
  return { median: quantile(sorted, 0.5), least: quantile(sorted, 0), most: quantile(sorted, 1) }
}

const windowOf = ({ latencies, seconds }: Outcome, cpu: number): Window => {
  const sorted = latencies.toSorted((a, b) => a - b)
  const requests = latencies.length
  return {
    requests,
    cpuMicros: (cpu / requests) * 1_000_000,
    perCpuSecond: requests / cpu,
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
    perCpuSecond: median((window) => window.perCpuSecond),
    throughput: median((window) => window.throughput),
    corePercent: median((window) => window.corePercent),
    p50: median((window) => window.p50),
    p99: median((window) => window.p99)
  }
}

/** Measures a case on both servers in turn. The server that goes first changes with each round. */
export const measurePair = async (service: Server, baseline: Server, one: Case, pace: Pace): Promise<PairedResult> => {
  const sides = [service, baseline].map((server) => {
    const windows: Array<Window> = []
    return { server, windows, load: open(server.port, pace.connections) }
  })
  let wrong = 0
  let firstWrong: string | undefined
  const loaded = async (load: Load, milliseconds: number) => {
    const outcome = await load.run(milliseconds, one.next)
    wrong += outcome.wrong
    firstWrong ??= outcome.firstWrong
    return outcome
  }
  for (const { load } of sides) await loaded(load, pace.prepare)
  for (let round = 0; round < pace.rounds; round++) {
    for (const { server, windows, load } of round % 2 === 0 ? sides : sides.toReversed()) {
      await loaded(load, pace.warmUp)
      const before = cpuSeconds(server)
      const outcome = await loaded(load, pace.window)
      windows.push(windowOf(outcome, cpuSeconds(server) - before))
    }
  }
  for (const { load } of sides) load.close()
  const [ours = [], baselines = []] = sides.map(({ windows }) => windows)
  const ratio = (pick: (window: Window) => number) =>
    spreadOf(
      ours.flatMap((window, round) => {
        const other = baselines[round]
        return other === undefined ? [] : [pick(window) / pick(other)]
      })
    )
  return {
    name: one.name,
    title: one.title,
    target: one.target,
    cpuRatio: ratio((window) => window.cpuMicros),
    perCpuSecondRatio: ratio((window) => window.perCpuSecond),
    service: medianOf(ours),
    baseline: medianOf(baselines),
    wrong,
    firstWrong
  }
}

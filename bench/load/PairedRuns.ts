import { cpuSeconds, type Server } from "../harness/Servers.ts"
import type { Case } from "./Cases.ts"
import { type Load, type Outcome, open } from "./Load.ts"

/** How long and how often is measured. */
export interface Pace {
  readonly rounds: number
  readonly connections: number
  /** Milliseconds of load before the first round, before each window, and in it. */
  readonly prepare: number
  readonly warmUp: number
  readonly window: number
}

/** One window of one server. */
export interface Window {
  readonly requests: number
  readonly cpuMicros: number
  readonly perCpuSecond: number
  readonly throughput: number
  /** How much of one core the server used, in percent. */
  readonly corePercent: number
  readonly p50: number
  readonly p99: number
}

/** A number of several rounds: the middle one, and how far the others lie. */
export interface Spread {
  readonly median: number
  readonly least: number
  readonly most: number
}

/** A row measured. */
export interface Measured {
  readonly name: string
  readonly title: string
  readonly target: number | undefined
  /** CPU per request, service over floor, of neighbouring windows. */
  readonly cpuRatio: Spread
  /** Requests per server CPU-second, service over floor. */
  readonly perCpuSecondRatio: Spread
  readonly service: Window
  readonly floor: Window
  readonly wrong: number
  readonly firstWrong: string | undefined
}

/** The number below which such a share of them lies. */
export const quantile = (sorted: ReadonlyArray<number>, q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN

/** The median and the extremes. */
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

/** Measures a case on both servers in turn; who goes first changes with each round. */
export const measure = async (service: Server, floor: Server, one: Case, pace: Pace): Promise<Measured> => {
  const sides = [service, floor].map((server) => {
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
  const [ours = [], floors = []] = sides.map(({ windows }) => windows)
  const ratio = (pick: (window: Window) => number) =>
    spreadOf(
      ours.flatMap((window, round) => {
        const other = floors[round]
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
    floor: medianOf(floors),
    wrong,
    firstWrong
  }
}

import { cpuSeconds, machineSeconds, type Server, threadSeconds, wakeUps } from "../../test/harness/Servers.ts"
import { type Call, open } from "../load/Load.ts"

/** The CPU use of each part while a server responds to requests, in microseconds per request. */
export interface CpuShares {
  readonly perSecond: number
  /** The server including its workers, but without the hashing threads. */
  readonly service: number
  readonly hashing: number
  readonly load: number
  /** PostgreSQL. Undefined if the benchmark didn't start it. */
  readonly database: number | undefined
  /** The idle share of all cores, in percent. */
  readonly idlePercent: number
  /** The wake-ups of the main threads per request. */
  readonly wakeUps: number
  readonly wrong: number
  readonly firstWrong: string | undefined
}

/** All CPU time used for a request, in microseconds. */
export const totalCost = ({ service, hashing, load, database = 0 }: CpuShares): number =>
  service + hashing + load + database

/**
 * The maximum speedup of two workers over one if all parts share two cores. One worker is limited by its own core or by
 * both cores, and two workers by both cores.
 */
export const maxSpeedup = (one: CpuShares): number => Math.max(1, (2 * one.service) / totalCost(one))

const usedSeconds = (server: Server, postmaster: number | undefined) => ({
  ...threadSeconds(server),
  load: process.cpuUsage(),
  database: postmaster === undefined ? undefined : cpuSeconds({ pid: postmaster }),
  machine: machineSeconds(),
  woken: wakeUps(server)
})

/**
 * Loads a server for some milliseconds, after a warm-up of the same length. `postmaster`: PostgreSQL's main process.
 */
export const cpuShares = async (
  server: Server,
  postmaster: number | undefined,
  next: () => Call,
  { connections, millis }: { readonly connections: number; readonly millis: number }
): Promise<CpuShares> => {
  const load = open(server.port, connections)
  await load.run(millis / 2, next)
  const before = usedSeconds(server, postmaster)
  const { latencies, seconds, wrong, firstWrong } = await load.run(millis, next)
  const after = usedSeconds(server, postmaster)
  load.close()
  const micros = (used: number) => (used * 1_000_000) / latencies.length
  const { user, system } = process.cpuUsage(before.load)
  return {
    perSecond: latencies.length / seconds,
    service: micros(after.main - before.main + after.other - before.other),
    hashing: micros(after.hashing - before.hashing),
    load: (user + system) / latencies.length,
    database:
      after.database === undefined || before.database === undefined
        ? undefined
        : micros(after.database - before.database),
    idlePercent: ((after.machine.idle - before.machine.idle) / (after.machine.all - before.machine.all)) * 100,
    wakeUps: (after.woken - before.woken) / latencies.length,
    wrong,
    firstWrong
  }
}

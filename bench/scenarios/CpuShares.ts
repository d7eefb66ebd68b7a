import { cpuSeconds, machineSeconds, type Server, threadSeconds, wakeUps } from "../harness/Servers.ts"
import { type Call, open } from "../load/Load.ts"

/** Who uses the CPU while a server answers requests, in microseconds per request. */
export interface CpuShares {
  readonly perSecond: number
  /** The server with its workers, without the threads that hash. */
  readonly service: number
  readonly hashing: number
  readonly load: number
  /** Undefined: PostgreSQL is not the bench's own. */
  readonly database: number | undefined
  /** The part of all cores in which there was nothing to do, in percent. */
  readonly idlePercent: number
  /** How often the main threads were woken for a request. */
  readonly wakeUps: number
  readonly wrong: number
  readonly firstWrong: string | undefined
}

/** Everything that is used for a request, in microseconds of CPU. */
export const wholeCost = ({ service, hashing, load, database = 0 }: CpuShares): number =>
  service + hashing + load + database

/**
 * How many times the requests of one worker two can answer at most, where all share two cores: one worker is bound by its own
 * core or by both, two by both.
 */
export const mostOfTwo = (one: CpuShares): number => Math.max(1, (2 * one.service) / wholeCost(one))

const usedSeconds = (server: Server, postmaster: number | undefined) => ({
  ...threadSeconds(server),
  load: process.cpuUsage(),
  database: postmaster === undefined ? undefined : cpuSeconds({ pid: postmaster }),
  machine: machineSeconds(),
  woken: wakeUps(server)
})

/** Loads a server for some milliseconds, after as many that do not count. `postmaster`: the process of PostgreSQL. */
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

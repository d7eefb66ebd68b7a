import { type Server, threadSeconds, wakeUps } from "../../test/harness/Servers.ts"
import { post, roundRobin } from "../load/Cases.ts"
import { open } from "../load/Load.ts"
import type { SeededRealm } from "../load/Seed.ts"

/** The CPU time of a login in milliseconds, by part. */
export interface LoginCost {
  readonly name: string
  readonly perSecond: number
  readonly main: number
  /** Compilation and garbage collection, on separate threads. */
  readonly other: number
  readonly hashing: number
  /** The wake-ups of the main thread per login. */
  readonly wakeUps: number
  readonly wrong: number
  readonly firstWrong: string | undefined
}

/** The number of concurrent logins: few enough that none is rejected, and enough that there is always one to hash. */
const AT_ONCE = 4

/** The CPU time per login outside the hashing threads, in milliseconds. */
export const beyondHash = ({ main, other }: LoginCost): number => main + other

/** Logs users in, a few at a time, without other load. `warmUp`: the seconds before the measurement. */
export const loginCost = async (
  server: Server,
  realm: SeededRealm,
  users: ReadonlyArray<string>,
  { password, seconds, warmUp }: { readonly password: string; readonly seconds: number; readonly warmUp: number }
): Promise<LoginCost> => {
  const next = roundRobin(users, (id) => ({
    request: post(realm, `/v2/users/${id}/authenticate`, { user: { password } }),
    status: 200,
    expectedTexts: [`"user_id":"${id}"`]
  }))
  const load = open(server.port, AT_ONCE)
  const warm = await load.run(warmUp * 1_000, next)
  const before = { ...threadSeconds(server), woken: wakeUps(server) }
  const { latencies, seconds: elapsed, wrong, firstWrong } = await load.run(seconds * 1_000, next)
  const after = threadSeconds(server)
  load.close()
  const millis = (kind: keyof typeof after) => ((after[kind] - before[kind]) * 1_000) / latencies.length
  return {
    name: server.name,
    perSecond: latencies.length / elapsed,
    main: millis("main"),
    other: millis("other"),
    hashing: millis("hashing"),
    wakeUps: (wakeUps(server) - before.woken) / latencies.length,
    wrong: warm.wrong + wrong,
    firstWrong: warm.firstWrong ?? firstWrong
  }
}

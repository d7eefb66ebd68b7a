import { hash } from "@node-rs/argon2"
import { withClient } from "../../test/harness/Database.ts"
import { whole } from "../../test/harness/Figures.ts"
import { get, post, roundRobin } from "../load/Cases.ts"
import { type Call, open } from "../load/Load.ts"
import { openLoop } from "../load/OpenLoop.ts"
import { prioritize } from "../load/Priority.ts"
import { type ResultTable, targetVerdict, wrongOf } from "../report/ResultTable.ts"

import { quantileOf, startWithTwoRealms } from "./OverloadSetup.ts"
import type { Context } from "./Scenario.ts"

const PASSWORD = "correct horse battery"

/** The number of requests of each kind out of 20. The rest are reads. */
const WRITES = 3
const LOGINS = 1
const OF = 20

/** The rate to send, as a share of the maximum rate, and the maximum p99 of reads, as a multiple of their median. */
const SHARE = 0.7
const MAX_SPREAD = 10

const inTurn = (...kinds: ReadonlyArray<() => Call>): (() => Call) => {
  let turn = 0
  return () => {
    const kind = kinds[turn++ % kinds.length]
    if (kind === undefined) throw new Error("There are no requests to send.")
    return kind()
  }
}

/** Sends reads, writes and logins at a fixed rate below the maximum. */
export const measureMixedLoad = async ({ service, rootKey, url, quick }: Context): Promise<ResultTable> => {
  const { server, busy } = await startWithTwoRealms(service, rootKey, url, 21)
  try {
    const stored = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
    await withClient(url, (client) =>
      client.query("update credentials set password_hash = $1 where realm_id = $2", [stored, busy.id])
    )
    const getUser = roundRobin(busy.users, (id) => ({
      request: get(busy, `/v2/users/${id}`),
      status: 200,
      expectedTexts: [`{"id":"${id}"`]
    }))
    const getSession = roundRobin(busy.sessions, (id) => ({
      request: get(busy, `/v2/sessions/${id}`),
      status: 200,
      expectedTexts: [`{"id":"${id}"`]
    }))
    const createSession = roundRobin(busy.users, (id) => ({
      request: post(busy, "/v2/sessions", { session: { user_id: id } }),
      status: 201,
      expectedTexts: [`"user_id":"${id}"`]
    }))
    const login = roundRobin(busy.users, (id) => ({
      request: post(busy, `/v2/users/${id}/authenticate`, { user: { password: PASSWORD } }),
      status: 200,
      expectedTexts: [`{"id":"${id}"`]
    }))
    let made = 0
    const createUser = (): Call => {
      const email = `mixed${made++}@example.test`
      return {
        request: post(busy, "/v2/users", { user: { email, credentials: [] } }),
        status: 201,
        expectedTexts: [email]
      }
    }
    const nextRead = inTurn(getUser, getSession)
    const nextWrite = inTurn(createSession, createUser)
    const order = Array.from({ length: OF }, () => nextRead)
    for (let n = 0; n < WRITES; n++) order[1 + 6 * n] = nextWrite
    for (let n = 0; n < LOGINS; n++) order[10 + n] = login
    const nextOfAll = inTurn(...order)
    const load = open(server.port, 32)
    await load.run(quick ? 2_000 : 4_000, nextOfAll)
    const maxRate = await load.run(quick ? 2_000 : 6_000, nextOfAll)
    load.close()
    const perSecond = maxRate.latencies.length / maxRate.seconds
    const seconds = quick ? 8 : 30
    prioritize(-15)
    const sent = async (share: number, next: () => Call) =>
      openLoop(server.port, perSecond * SHARE * share, next)(seconds)
    const [reads, writes, logins] = await Promise.all([
      sent((OF - WRITES - LOGINS) / OF, nextRead),
      sent(WRITES / OF, nextWrite),
      sent(LOGINS / OF, login)
    ])
    prioritize(0)
    const times = ({ done }: typeof reads) =>
      `${quantileOf(done, 0.5).toFixed(1)} / ${quantileOf(done, 0.99).toFixed(1)}`
    const [p50, p99] = [quantileOf(reads.done, 0.5), quantileOf(reads.done, 0.99)]
    const shed = reads.shed.length + writes.shed.length + logins.shed.length
    return {
      title: `80 % reads, 15 % writes, 5 % logins at ${SHARE * 100} % of the maximum, ${seconds} s`,
      rows: [
        ["requests per second, 32 connections in a closed loop", whole(perSecond), ""],
        ["sent per second", whole(perSecond * SHARE), ""],
        ["reads, p50 / p99, ms", times(reads), targetVerdict(p99 <= MAX_SPREAD * p50, `p99 ≤ ${MAX_SPREAD} × p50`)],
        ["reads, p99 / p50", (p99 / p50).toFixed(1), ""],
        ["writes, p50 / p99, ms", times(writes), ""],
        ["logins, p50 / p99, ms", times(logins), ""],
        ["asked to retry (503)", whole(shed), ""]
      ],
      ...wrongOf([{ wrong: maxRate.wrong - maxRate.shed, firstWrong: maxRate.firstWrong }, reads, writes, logins])
    }
  } finally {
    await server.stop("SIGKILL")
  }
}

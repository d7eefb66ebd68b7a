import { Api } from "#testing/Api"
import { createDatabaseBeside } from "../../test/harness/Database.ts"
import { whole } from "../../test/harness/Figures.ts"
import {
  cpuSeconds,
  memory,
  type Program,
  type Server,
  start,
  timeToFirstResponse
} from "../../test/harness/Servers.ts"
import { type Call, open } from "../load/Load.ts"
import { type CaseResult, measureCase } from "../load/Rounds.ts"
import { type SeededIssuers, seedIssuers } from "../load/SeedIssuers.ts"
import { comparedRows, type ResultTable, targetVerdict, wrongOf } from "../report/ResultTable.ts"
import { pair } from "../report/Table.ts"
import type { Context } from "./Scenario.ts"

/** The maximum CPU time per request and the maximum memory, as a multiple of the figures with one realm. */
const MAX_RATIO = 1.1

const body = "grant_type=client_credentials"

const tokenRequest = (realm: string, { client, secret }: SeededIssuers): string =>
  [
    `POST /realms/${realm}/token HTTP/1.1`,
    "Host: bench.test",
    `Authorization: Basic ${Buffer.from(`${client}:${secret}`).toString("base64")}`,
    "Content-Type: application/x-www-form-urlencoded",
    `Content-Length: ${body.length}`,
    "",
    body
  ].join("\r\n")

/** Requests to realms in turn. */
const inTurn = (realms: ReadonlyArray<string>, make: (realm: string) => Call): (() => Call) => {
  let turn = 0
  return () => make(realms[turn++ % realms.length] ?? "")
}

/** The warm-up requests per realm: enough for each thread to load the realm's key before the measurement. */
const PASSES = 4

/** Sends at least this many requests. Returns the CPU time per request in microseconds, and the wrong responses. */
const sendMany = async (server: Server, count: number, next: () => Call, connections: number) => {
  const load = open(server.port, connections)
  const before = cpuSeconds(server)
  const outcomes: Array<{ readonly wrong: number; readonly firstWrong: string | undefined }> = []
  let sent = 0
  while (sent < count) {
    const outcome = await load.run(250, next)
    outcomes.push(outcome)
    sent += outcome.latencies.length + outcome.wrong
  }
  load.close()
  return { micros: ((cpuSeconds(server) - before) / sent) * 1_000_000, ...wrongOf(outcomes) }
}

/** Compares a service where every realm is an issuer with a service with a single realm. */
export const measureIssuers = async ({ service, rootKey, url, quick, pace }: Context): Promise<ResultTable> => {
  const count = quick ? 1_000 : 10_000
  const databases = [await createDatabaseBeside(url), await createDatabaseBeside(url)] as const
  const on = (name: string, database: string): Program => ({
    ...service,
    name,
    environment: { ...service.environment, DATABASE_URL: database, SALLYPORT_MAX_REALMS: String(2 * count) }
  })
  const [many, one] = [
    await start(on("many issuers", databases[0].url)),
    await start(on("one issuer", databases[1].url))
  ]
  try {
    for (const server of [many, one]) await timeToFirstResponse(server, "/healthz")
    const seed = (port: number, database: string, realms: number) =>
      seedIssuers(
        new Api(`http://127.0.0.1:${port}`, rootKey),
        database,
        service.environment["SALLYPORT_SECRET"] ?? "",
        realms
      )
    const crowded = await seed(many.port, databases[0].url, count)
    const lone = await seed(one.port, databases[1].url, 1)
    const token =
      (seeded: SeededIssuers) =>
      (realm: string): Call => ({
        request: tokenRequest(realm, seeded),
        status: 200,
        expectedTexts: ['"access_token":"']
      })
    const discovery = (realm: string): Call => ({
      request: `GET /realms/${realm}/.well-known/openid-configuration HTTP/1.1\r\nHost: bench.test\r\n\r\n`,
      status: 200,
      expectedTexts: ['"token_endpoint":"']
    })
    const measured: Array<CaseResult> = []
    const ask = (server: Server, seeded: SeededIssuers, times: number) =>
      sendMany(server, times, inTurn(seeded.realms, token(seeded)), pace.connections)
    // Both services run the same code equally often, so that neither is measured with colder code.
    const before = [await ask(one, lone, count), await ask(many, crowded, count)] as const
    const prepared = [await ask(one, lone, PASSES * count), await ask(many, crowded, PASSES * count)]
    for (const [where, realms] of [
      ["one of them", crowded.realms.slice(0, 1)],
      ["all of them in turn", crowded.realms]
    ] as const) {
      for (const [name, ours, theirs] of [
        ["client credentials", token(crowded), token(lone)],
        ["discovery", discovery, discovery]
      ] as const) {
        const compared = [{ server: one, next: inTurn(lone.realms, theirs), target: MAX_RATIO }]
        const side = { server: many, next: inTurn(realms, ours) }
        measured.push(await measureCase({ name, title: `${name}, ${where}` }, side, compared, pace))
      }
    }
    const [ours, theirs] = [memory(many).resident, memory(one).resident]
    return {
      title: `${whole(count)} realms as issuers, × one`,
      rows: [
        ...comparedRows(measured),
        ["client credentials, the first of each, µs; one realm's", pair(before[1].micros, before[0].micros, 0), ""],
        ...measured.map(({ title, service: window, others: [other] }): ResultTable["rows"][number] => [
          `${title}: p50 / p99, ms; one realm's`,
          `${pair(window.p50, window.p99, 1)}; ${pair(other?.window.p50 ?? 0, other?.window.p99 ?? 0, 1)}`,
          ""
        ]),
        [
          "resident memory, after the load, MiB",
          `${(ours / theirs).toFixed(2)}; ${pair(ours, theirs, 0)}`,
          targetVerdict(ours <= MAX_RATIO * theirs, `≤ ${MAX_RATIO}`)
        ]
      ],
      ...wrongOf([...measured, ...before, ...prepared])
    }
  } finally {
    for (const server of [many, one]) await server.stop("SIGKILL")
    for (const database of databases) await database.drop()
  }
}

import { Api } from "#testing/Api"
import { createDatabaseBeside, withClient } from "../../test/harness/Database.ts"
import { whole } from "../../test/harness/Figures.ts"
import { memory, type Program, type Server, start, timeToFirstResponse } from "../../test/harness/Servers.ts"
import { type Case, casesInRealm, post } from "../load/Cases.ts"
import { type Call, open } from "../load/Load.ts"
import { type CaseResult, measureCase, spreadOf } from "../load/Rounds.ts"
import { seedRealm } from "../load/Seed.ts"
import { comparedRows, type ResultTable, targetVerdict, wrongOf } from "../report/ResultTable.ts"
import { pair } from "../report/Table.ts"
import type { Context } from "./Scenario.ts"

/** The maximum CPU time per request, start time and memory, as a multiple of the figures with one realm. */
const MAX_RATIO = 1.1

/** The number of users in each realm that is read, enough for a deep page. */
const USERS = 1_000

/** Creates realms over HTTP, because each realm has its own keys. */
const createRealms = async (server: Server, key: string, count: number): Promise<void> => {
  const load = open(server.port, 16)
  let sent = 0
  const next = (): Call => {
    const realm = { name: `Realm ${sent++}`, jwt_algo: "hs256" }
    return { request: post({ key }, "/v2/realms", { realm }), status: 201, expectedTexts: [] }
  }
  while (sent < count) {
    const { wrong, firstWrong } = await load.run(500, next)
    if (wrong > 0) throw new Error(`A realm was not created: ${firstWrong}`)
  }
  load.close()
}

const insertKeys = `insert into api_keys (id, realm_id, name, level, key_digest, root, created_at)
  select 'key_' || substr(id, 4), id, 'bench', 'write', sha256(('bench ' || id)::bytea), false, created_at
  from realms where deleted_at is null and not exists (select from api_keys k where k.realm_id = realms.id)`

/** Requests to several realms in turn. */
const inTurn = (realms: ReadonlyArray<ReadonlyArray<Case>>, name: string): (() => Call) => {
  const all = realms.map((one) => one.find((each) => each.name === name))
  let turn = 0
  return () => {
    const one = all[turn++ % all.length]
    if (one === undefined) throw new Error(`There is no case ${name}.`)
    return one.next()
  }
}

/**
 * Starts the service several times. Returns the milliseconds until the first response, and the resident memory at that
 * time.
 */
const measureStart = async (program: Program) => {
  const server = await start(program)
  const millis = await timeToFirstResponse(server, "/healthz")
  const { resident } = memory(server)
  await server.stop("SIGKILL")
  return { millis, resident }
}

/** Measures the cases, the start and the memory, first with one realm in the database and then with very many realms. */
export const measureManyRealms = async (context: Context): Promise<ResultTable> => {
  const { service, rootKey, url, quick, pace } = context
  const count = quick ? 1_000 : 10_000
  const busyRealms = quick ? 20 : 100
  const [lone, crowded] = [await createDatabaseBeside(url), await createDatabaseBeside(url)]
  const on = (name: string, database: string): Program => ({
    ...service,
    name,
    environment: { ...service.environment, DATABASE_URL: database, SALLYPORT_MAX_REALMS: String(2 * count) }
  })
  const programs = [on("many realms", crowded.url), on("one realm", lone.url)] as const
  const servers = [await start(programs[0]), await start(programs[1])] as const
  try {
    for (const server of servers) await timeToFirstResponse(server, "/healthz")
    const api = ({ port }: Server) => new Api(`http://127.0.0.1:${port}`, rootKey)
    const only = casesInRealm(await seedRealm(api(servers[1]), lone.url, 1, USERS), quick)
    await createRealms(servers[0], rootKey, count - busyRealms)
    await withClient(crowded.url, (client) => client.query(insertKeys))
    const busy: Array<ReadonlyArray<Case>> = []
    for (let n = 1; n <= busyRealms; n++)
      busy.push(casesInRealm(await seedRealm(api(servers[0]), crowded.url, n, USERS), quick))
    for (const database of [lone, crowded]) await withClient(database.url, (client) => client.query("vacuum analyze"))
    const measured: Array<CaseResult> = []
    for (const { name, title, next } of only) {
      const compared = [{ server: servers[1], next, target: MAX_RATIO }]
      for (const [where, realms] of [
        ["one of them", busy.slice(0, 1)],
        [`${busyRealms} of them in turn`, busy]
      ] as const) {
        const row = { name, title: `${title.replace(/ of [\d,]+$/, "")}, ${where}` }
        measured.push(await measureCase(row, { server: servers[0], next: inTurn(realms, name) }, compared, pace))
      }
    }
    const loaded = servers.map((server) => memory(server).resident)
    const starts: Array<{ readonly millis: number; readonly resident: number }>[] = [[], []]
    for (let n = 0; n < (quick ? 3 : 7); n++) {
      for (const [which, program] of programs.entries()) starts[which]?.push(await measureStart(program))
    }
    const medians = (pick: (start: { readonly millis: number; readonly resident: number }) => number) =>
      starts.map((each) => spreadOf(each.map(pick)).median)
    const compare = (what: string, [ours = 0, other = 0]: ReadonlyArray<number>): ResultTable["rows"][number] => [
      what,
      `${(ours / other).toFixed(2)}; ${pair(ours, other, 0)}`,
      targetVerdict(ours <= MAX_RATIO * other, `≤ ${MAX_RATIO}`)
    ]
    return {
      title: `${whole(count)} realms, × one realm`,
      rows: [
        ...comparedRows(measured),
        compare(
          "from start to first 200, ms",
          medians(({ millis }) => millis)
        ),
        compare(
          "resident memory, started, MiB",
          medians(({ resident }) => resident)
        ),
        compare("resident memory, after the load, MiB", loaded)
      ],
      ...wrongOf(measured)
    }
  } finally {
    for (const server of servers) await server.stop("SIGKILL")
    for (const database of [lone, crowded]) await database.drop()
  }
}

import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { type Database, withClient } from "../../test/harness/Database.ts"
import { type Program, type Server, start, timeToFirstResponse } from "../../test/harness/Servers.ts"
import type { Case } from "./Cases.ts"
import { open } from "./Load.ts"
import { pause } from "./OpenLoop.ts"

/** The text of a statement, with white space and letter case normalized. */
const normalized = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/ ?([(),]) ?/g, "$1")
    .trim()

/** The statements in a part of PostgreSQL's log. Further lines of a statement start with a tab. */
const statementsIn = (log: string): ReadonlyArray<string> =>
  log
    .replaceAll("\n\t", " ")
    .split("\n")
    .flatMap((line) => /LOG: {2}(?:execute [^:]+|statement): (.*)$/.exec(line)?.[1] ?? [])
    .map(normalized)

/** The statements that every one of a few requests runs, which excludes those of background jobs. */
const statementsOf = async ({ port }: Server, { next }: Case, log: () => string): Promise<ReadonlyArray<string>> => {
  const connections = open(port, 1)
  const each: Array<ReadonlySet<string>> = []
  for (let n = 0; n < 4; n++) {
    const before = log().length
    let sent = 0
    const { wrong, firstWrong } = await connections.run(1, () => {
      sent++
      return next()
    })
    if (wrong > 0) throw new Error(`${sent} requests: ${firstWrong}`)
    await pause(50)
    each.push(new Set(statementsIn(log().slice(before))))
  }
  connections.close()
  // The first request fills caches and prepares statements.
  const [, first = new Set(), ...others] = each
  return [...first].filter((text) => others.every((set) => set.has(text))).sort()
}

/**
 * The cases in which the baseline runs other statements than the service, one text for each. Reads the log of a
 * PostgreSQL started for this run.
 */
export const differingStatements = async (
  database: Database,
  programs: readonly [service: Program, baseline: Program],
  cases: ReadonlyArray<Case>
): Promise<ReadonlyArray<string>> => {
  if (!database.own) return []
  const folder = await withClient(database.url, async (client) => {
    const { rows } = await client.query<{ name: string; folder: string }>(
      "select current_database() as name, current_setting('data_directory') as folder"
    )
    await client.query(`alter database ${rows[0]?.name} set log_statement = 'all'`)
    return rows[0]?.folder ?? ""
  })
  const log = () => readFileSync(join(dirname(folder), "log"), "utf8")
  const servers: Array<Server> = []
  try {
    for (const program of programs) {
      const server = await start(program)
      servers.push(server)
      await timeToFirstResponse(server, "/healthz")
    }
    const differing: Array<string> = []
    for (const one of cases) {
      const run: Array<string> = []
      for (const server of servers) run.push((await statementsOf(server, one, log)).join("\n"))
      const [service, baseline] = run
      if (service !== baseline)
        differing.push(`${one.name}: the service runs\n${service}\nand the baseline\n${baseline}`)
    }
    return differing
  } finally {
    for (const server of servers) await server.stop("SIGKILL")
    await withClient(database.url, (client) =>
      client.query(`alter database ${new URL(database.url).pathname.slice(1)} reset log_statement`)
    )
  }
}

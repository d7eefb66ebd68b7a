import { existsSync, readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** The folder in which the workers of this run record their statements. Only for the main process. */
export const statementsFolder = (): string => join(tmpdir(), `sallyport-statements-${process.pid}`)

/** The distinct statements that ran on one database, each with the first test that ran it. */
export type Statements = ReadonlyMap<string, string>

/**
 * A statement without the parts that differ between calls: values and their number, the number of merged selections,
 * and layout.
 */
export const shapeOf = (text: string): string =>
  text
    .replaceAll(/\$\d+|'[a-z_]+'/g, "?")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\?(?:, ?\?)+/g, "?, …")
    .replaceAll(/(\([^()]*\))(?:, ?\1)+/g, "$1, …")
    .replaceAll(/(\(select .+? limit \?\))(?: union all \1)+/g, "$1 union all …")
    .trim()

/** The parts of a statement that combines several writes (`src/store/statements/Writes.ts`), or otherwise the whole statement. */
export const partsOf = (text: string): ReadonlyArray<string> =>
  text
    .split(/, step\d+ as \(| returning 1\)/)
    .filter((part) => part !== "")
    .map((part) => part.replaceAll(/\bstep\d+\b/g, "step"))

/** A statement as recorded by a worker, with the test that ran it first, or undefined if no test had started. */
export interface Written {
  readonly file: string
  readonly test?: string | undefined
  readonly text: string
}

const writtenBy = (project: string): ReadonlyArray<Written> => {
  const folder = statementsFolder()
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(`${project}-`)) : []
  const lines = names.flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"))
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line))
}

/** The statements that the workers of a project ran. */
export const statementsOf = (project: string): Statements => {
  const found = new Map<string, string>()
  for (const { file, test, text } of writtenBy(project)) {
    const where = test === undefined ? file : `${file} > ${test}`
    for (const shape of partsOf(text).map(shapeOf)) if (!found.has(shape)) found.set(shape, where)
  }
  return found
}

/** The statements that the workers of a project ran, one of each shape, with the test file that ran it first. */
export const writtenStatements = (project: string): ReadonlyArray<Written> => [
  ...new Map(
    writtenBy(project)
      .map((each) => [shapeOf(each.text), each] as const)
      .toReversed()
  ).values()
]

/** The texts of the statements that the workers of a project ran, as they were sent. */
export const textsOf = (project: string): ReadonlySet<string> => new Set(writtenBy(project).map(({ text }) => text))

/** Statements that only one database needs, each with the reason. */
const ofOneDatabase: ReadonlyMap<string, string> = new Map([
  [
    shapeOf(`select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
      current_setting('max_connections')::int - case when r.rolsuper then 0 else
        current_setting('superuser_reserved_connections')::int
        + coalesce(current_setting('reserved_connections', true)::int, 0) end as "serverLimit",
      case when r.rolsuper then -1 else r.rolconnlimit end as "roleLimit",
      case when r.rolsuper then -1 else d.datconnlimit end as "databaseLimit"
    from pg_roles r cross join pg_database d where r.rolname = current_user and d.datname = current_database()`),
    "The embedded database is part of the service, which has the only connection."
  ],
  [
    shapeOf(`select name, setting, source from pg_settings
      where name in ('statement_timeout', 'idle_in_transaction_session_timeout') order by name desc`),
    "The embedded database has no timeouts and no pooler that could drop them."
  ],
  [
    shapeOf(`select s.system_identifier || '/' || left(pg_walfile_name(w.lsn), 8) || '/' || current_database() as history,
        (w.lsn - '0/0')::text as at
      from pg_control_system() s, (select case when current_setting('synchronous_commit') = 'off'
        then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end as lsn) w`),
    "The embedded database has no replica."
  ],
  [
    shapeOf(`select pg_is_in_recovery() as "isReplica", (pg_last_wal_replay_lsn() - '0/0')::text as at,
        s.system_identifier || '/' || upper(lpad(to_hex(c.timeline_id), 8, '0')) || '/' || current_database() as history
      from pg_control_system() s, pg_control_checkpoint() c`),
    "The embedded database is never a replica."
  ],
  [shapeOf("select 1"), "On PostgreSQL the check reads the timeouts instead."]
])

/** The statements of one database that never ran on the other. */
export const missingStatements = (
  ran: Statements,
  other: Statements
): ReadonlyArray<readonly [shape: string, test: string]> =>
  [...ran].filter(([shape]) => !other.has(shape) && !ofOneDatabase.has(shape))

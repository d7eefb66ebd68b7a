import { Clock, Effect, Predicate, type Schema } from "effect"
import { Command } from "effect/cli"
import type { CopyProgress, MoveReport } from "#server/Move"
import { CommandFailed } from "../CommandFailed.ts"
import { explainDatabase } from "../DatabaseFailure.ts"
import { counted } from "../doctor/Finding.ts"
import { Environment } from "../Environment.ts"
import { switchFlag } from "../Flags.ts"
import { print, printStatus, showProgress } from "../Output.ts"
import { table } from "../Table.ts"
import { WorkDone } from "../WorkDone.ts"

const dryRun = switchFlag("dry-run", "Only check both databases and count the rows to copy")

const number = (value: number) => value.toLocaleString("en-US")

const seconds = (millis: number) => `${(millis / 1_000).toFixed(1)} s`

const rowsOf = ({ tables }: MoveReport): string => {
  const filled = tables.filter(({ rows }) => rows > 0)
  return table([["TABLE", "ROWS"], ...filled.map(({ table, rows }) => [table, number(rows)])])
}

const nextSteps = ({ secretFile, rootKeyFile, unreadable, from }: MoveReport): string =>
  [
    "Now start the service with these settings; keep all others:",
    "  DATABASE_URL            as now",
    secretFile === undefined
      ? "  SALLYPORT_SECRET        as now, because it decrypts the secrets in the database"
      : `  SALLYPORT_SECRET_FILE   ${secretFile}, or a copy of it in your secret store, because it decrypts the secrets in the database`,
    "  SALLYPORT_PUBLIC_URL    the same as before, because it is part of the issuer of every token",
    "Back up the new database first.",
    ...(rootKeyFile === undefined ? [] : [`The root key in ${rootKeyFile} stays valid.`]),
    ...(unreadable === 0
      ? []
      : [`${counted(unreadable, "secret")} can't be decrypted with that key, as before the move.`]),
    `The ${from} was not changed. Don't start a service on it again, or the two databases will diverge.`
  ].join("\n")

const textOf = (dry: boolean, report: MoveReport): string => {
  const what = `${counted(report.rows, "row").replace(/^\d+/, number(report.rows))} of ${report.tables.length} tables`
  const head = `From: ${report.from}\nTo:   ${report.to}\n\n${rowsOf(report)}\n\n`
  if (dry) return `${head}${what} would be copied. Nothing was changed.`
  return `${head}${what} were copied in ${seconds(report.millis)}. Both databases were compared, and all tables match.\n\n${nextSteps(report)}`
}

const jsonOf = (dry: boolean, { secretFile, rootKeyFile, millis, ...report }: MoveReport): Schema.Json => ({
  from: report.from,
  to: report.to,
  dry_run: dry,
  rows: report.rows,
  tables: report.tables.map(({ table, rows }) => ({ table, rows })),
  milliseconds: millis,
  secret_file: secretFile ?? null,
  root_key_file: rootKeyFile ?? null,
  unreadable_secrets: report.unreadable
})

/** How often progress is logged without a terminal, in milliseconds. */
const INTERVAL = 10_000

/** Reports a copy's progress: in an updating line on a terminal, otherwise in occasional lines. */
const progressLines = Effect.gen(function* () {
  const context = yield* Effect.context<Effect.Services<ReturnType<typeof printStatus>>>()
  const began = yield* Clock.currentTimeMillis
  let reportedAt = began
  return Effect.fnUntraced(function* ({ table, copied, rows, done, all }: CopyProgress) {
    const now = yield* Clock.currentTimeMillis
    const pace = Math.round(done / Math.max(0.001, (now - began) / 1_000))
    const line = `${Math.floor((100 * done) / Math.max(1, all))} %  ${table} ${number(copied)} of ${number(rows)}  ${number(pace)} rows/s`
    yield* showProgress(done === all ? "" : line)
    if (now - reportedAt < INTERVAL) return
    reportedAt = now
    yield* printStatus(line)
  }, Effect.provideContext(context))
})

/** Adds advice to errors about rejected copies. */
const explainCopy = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.mapError(effect, (error) =>
    Predicate.isTagged(error, "CopyRefused") && error instanceof Error && Predicate.hasProperty(error, "todo")
      ? new CommandFailed({ happened: error.message, done: "No rows were copied.", todo: String(error.todo) })
      : error
  )

/** Moves an embedded database to PostgreSQL. */
export const move = Command.make(
  "move",
  { dryRun },
  Effect.fnUntraced(
    function* ({ dryRun }) {
      const { all } = yield* Environment
      const { note } = yield* WorkDone
      const { moveDatabase } = yield* Effect.promise(() => import("#server/Move"))
      yield* note(() => "No rows were copied; PostgreSQL has at most empty tables. Both databases are unharmed.")
      const report = yield* moveDatabase(all, dryRun ? undefined : yield* progressLines)
      yield* print(jsonOf(dryRun, report), textOf(dryRun, report))
    },
    explainCopy,
    explainDatabase
  )
).pipe(
  Command.withDescription(
    "Moves the embedded database (SALLYPORT_DATA_DIR) into an empty PostgreSQL database (DATABASE_URL). Stop the service first. Copies everything unchanged, including IDs and encrypted secrets, so keys, passwords and tokens stay valid, and then compares every table. Runs in one transaction: if it fails or is stopped, PostgreSQL stays empty and you can run it again. The embedded database is not changed."
  ),
  Command.withShortDescription("Moves the embedded database to PostgreSQL"),
  Command.withExamples([
    { command: "DATABASE_URL=postgres://… sallyport move --dry-run", description: "What would be copied?" },
    { command: "DATABASE_URL=postgres://… SALLYPORT_DATA_DIR=./data sallyport move" }
  ])
)

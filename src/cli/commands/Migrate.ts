import { Effect, type Schema } from "effect"
import { Command } from "effect/cli"
import { readDatabase } from "#server/Config"
import type { MigrationReport } from "#server/Migrate"
import { explainDatabase } from "../DatabaseFailure.ts"
import { Environment } from "../Environment.ts"
import { switchFlag } from "../Flags.ts"
import { print } from "../Output.ts"
import { WorkDone } from "../WorkDone.ts"

const dryRun = switchFlag("dry-run", "List the migrations that would be applied without changing anything")

const version = (name: string | null) => name ?? "nothing yet"

const seconds = (millis: number) => `${(millis / 1_000).toFixed(millis < 9_950 ? 1 : 0)} s`

const count = (migrations: ReadonlyArray<string>) =>
  `${migrations.length} ${migrations.length === 1 ? "migration" : "migrations"}`

const textOf = (dry: boolean, { database, before, after, migrations, millis }: MigrationReport): string => {
  const head = `Database: ${database}`
  if (migrations.length === 0)
    return `${head}\nVersion:  ${version(after)}\n\nAll migrations are applied (${seconds(millis)}).`
  const list = migrations.map((name) => `  ${name}`).join("\n")
  const verdict = dry ? `${count(migrations)} would be applied` : `${count(migrations)} applied in ${seconds(millis)}`
  return `${head}\nVersion:  ${version(before)} → ${version(after)}\n\n${verdict}:\n${list}`
}

const jsonOf = (dry: boolean, report: MigrationReport): Schema.Json => ({
  database: report.database,
  before: report.before,
  after: report.after,
  dry_run: dry,
  migrations: report.migrations,
  milliseconds: report.millis
})

/** Migrates the configured database, so that nodes don't have to at startup. */
export const migrate = Command.make(
  "migrate",
  { dryRun },
  Effect.fnUntraced(function* ({ dryRun }) {
    const { all } = yield* Environment
    const { note } = yield* WorkDone
    const target = yield* readDatabase(all)
    const { applyMigrations, planMigrations } = yield* Effect.promise(() => import("#server/Migrate"))
    const done: Array<string> = []
    const applied = (name: string) => {
      done.push(name)
      return note(() => `Already applied: ${done.join(", ")}. Run the command again to apply the others.`)
    }
    const report = yield* dryRun ? planMigrations(target) : applyMigrations(target, applied)
    yield* print(jsonOf(dryRun, report), textOf(dryRun, report))
  }, explainDatabase)
).pipe(
  Command.withDescription(
    "Applies pending migrations and exits. Each runs in its own transaction; nodes that start in the meantime wait. The service does the same when it starts, so use this only to migrate beforehand. Reads DATABASE_URL or SALLYPORT_DATA_DIR, like the service."
  ),
  Command.withShortDescription("Applies pending migrations"),
  Command.withExamples([
    { command: "sallyport migrate --dry-run", description: "What would be applied?" },
    { command: "DATABASE_URL=postgres://… sallyport migrate", description: "Before a new release starts" }
  ])
)

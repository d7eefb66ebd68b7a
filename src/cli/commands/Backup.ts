import { Effect, Option, Predicate, type Schema } from "effect"
import { Argument, Command } from "effect/cli"
import { CommandFailed } from "../CommandFailed.ts"
import { explainDatabase } from "../DatabaseFailure.ts"
import { counted, type Finding } from "../doctor/Finding.ts"
import { lineOf, summaryOf } from "../doctor/FindingLines.ts"
import { Environment } from "../Environment.ts"
import { AsJson, print } from "../Output.ts"
import { Screen } from "../Screen.ts"
import { styleOf } from "../Style.ts"
import { readOnly } from "../WorkDone.ts"

const path = Argument.String("backup").pipe(
  Argument.withDescription(
    "A dump made by pg_dump --format=custom, or a copy of an embedded database's folder. Default: the configured database, restored beforehand"
  ),
  Argument.optional
)

/** Adds advice to errors about backups that can't be restored. */
const explainRestore = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.mapError(effect, (error) =>
    Predicate.isTagged(error, "RestoreFailed") && error instanceof Error && Predicate.hasProperty(error, "todo")
      ? new CommandFailed({ happened: error.message, done: "", todo: String(error.todo) })
      : error
  )

const verify = Command.make(
  "verify",
  { path },
  Effect.fnUntraced(
    function* ({ path }) {
      const { verifyBackup } = yield* Effect.promise(() => import("../backup/Verification.ts"))
      const { all: environment } = yield* Environment
      const { out, outIsTerminal, noColor } = yield* Screen
      const isJson = yield* AsJson
      const style = styleOf(outIsTerminal, noColor)
      const findings: Array<{ readonly check: string; readonly finding: Finding }> = []
      const tables = yield* verifyBackup(environment, Option.getOrUndefined(path), (check, finding) => {
        findings.push({ check, finding })
        // Output errors are reported at the end.
        return isJson ? Effect.void : Effect.ignore(out(lineOf(check, finding, style)))
      })
      const found = findings.map(({ finding }) => finding)
      const problems = found.filter(({ verdict }) => verdict === "problem").length
      const json: Schema.Json = {
        ok: problems === 0,
        checks: findings.map(({ check, finding: { verdict, says, todo } }) => ({
          check,
          verdict,
          says,
          todo: todo ?? null
        })),
        tables: tables.map(({ table, rows, checksum }) => ({ table, rows, checksum }))
      }
      yield* print(json, `\n${summaryOf(found)}`)
      if (problems > 0) {
        return yield* new CommandFailed({ happened: `${counted(problems, "problem")} found.`, done: "" })
      }
    },
    explainRestore,
    explainDatabase,
    readOnly
  )
).pipe(
  Command.withDescription(
    "Verifies a backup: restores it next to the database in DATABASE_URL (or copies the folder of an embedded database), and checks whether a service could run on it: migrations, constraints, every row, secret and signing key, and its age. Reads the same settings as the service, in particular SALLYPORT_SECRET. Sends nothing, changes nothing, and drops the restored database. Exit code 1 if there is a problem."
  ),
  Command.withShortDescription("Restores a backup to a temporary database and checks it"),
  Command.withExamples([
    { command: "sallyport backup verify backup.dump", description: "Last night's dump" },
    {
      command: "DATABASE_URL=postgres://…/restored sallyport backup verify",
      description: "A restored database"
    }
  ])
)

/** The `backup` command. */
export const backup = Command.make("backup").pipe(
  Command.withDescription("Checks that backups can be restored, before you need one."),
  Command.withShortDescription("Checks that a backup can be restored"),
  Command.withSubcommands([verify])
)

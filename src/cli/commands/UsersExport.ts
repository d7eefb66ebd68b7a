import { existsSync } from "node:fs"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { confirm, Yes } from "../Confirmation.ts"
import { realmFlag, switchFlag } from "../Flags.ts"
import { AsJson, printStatus } from "../Output.ts"
import { remoteIn } from "../Remote.ts"
import { Screen } from "../Screen.ts"
import { exportUsers } from "../users/Export.ts"
import { exportFormats } from "../users/ExportLines.ts"
import { count, duration } from "../users/Messages.ts"

const file = Argument.String("file").pipe(
  Argument.optional,
  Argument.withDescription("The file to write; - for stdout (the default)")
)

const format = Flag.Literals("format", exportFormats).pipe(
  Flag.withMetavar("<format>"),
  Flag.optional,
  Flag.withDescription("The format. Default: csv if the file name ends with .csv, otherwise ndjson")
)

const gzip = switchFlag("gzip", "Compress the export with gzip. Default if the file name ends with .gz")

/** `sallyport users export` */
export const usersExport = Command.make(
  "export",
  { file, realm: realmFlag, format, gzip, yes: Yes },
  Effect.fnUntraced(function* (given) {
    const to = yield* remoteIn(given.realm)
    const screen = yield* Screen
    const path = Option.getOrUndefined(Option.filter(given.file, (name) => name !== "-"))
    const name = path?.toLowerCase() ?? ""
    if (path !== undefined && existsSync(path)) {
      yield* confirm(`The file ${path} already exists and will be replaced.`, path, given.yes)
    }
    const job = {
      realm: to.realmId,
      file: path,
      format: Option.getOrElse(given.format, () =>
        /\.csv(\.gz)?$/.test(name) ? ("csv" as const) : ("ndjson" as const)
      ),
      gzip: given.gzip || name.endsWith(".gz")
    }
    const { users, secrets, seconds } = yield* exportUsers(job, to)
    if (yield* AsJson) {
      const write = path === undefined ? screen.err : screen.out
      yield* write(`${JSON.stringify({ object: "export", users, secrets, file: path ?? null, format: job.format })}\n`)
      return
    }
    yield* printStatus(
      `Exported ${count(users, "user")}${path === undefined ? "" : ` to ${path}`} in ${duration(seconds)}.`
    )
    if (!secrets) {
      yield* printStatus(
        "It doesn't contain passwords, authenticator apps, API keys and access tokens; exporting them requires a key of level admin_all_realms."
      )
    }
  })
).pipe(
  Command.withDescription(
    "Exports users in the import's format. A file gets its final name only when it is complete; on stdout, an export without its last line is incomplete."
  ),
  Command.withExamples([
    { command: "sallyport users export users.ndjson.gz --realm rl_…" },
    { command: "sallyport users export --format csv > users.csv" }
  ])
)

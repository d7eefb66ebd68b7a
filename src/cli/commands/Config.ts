import { Effect } from "effect"
import { Command } from "effect/cli"
import { CommandFailed } from "../CommandFailed.ts"
import { Environment } from "../Environment.ts"
import { print } from "../Output.ts"
import { table } from "../Table.ts"

const printed = Command.make(
  "print",
  {},
  Effect.fnUntraced(function* () {
    const { all } = yield* Environment
    const { reportSettings, settingsFile } = yield* Effect.promise(() => import("#server/SettingsReport"))
    const { settings, problems, warnings } = yield* reportSettings(all)
    const rows = settings.map(({ name, value, source, file }) => [
      name,
      value ?? "",
      file === null ? source : `${source} ${file}`
    ])
    yield* print(
      { settings: settings.map((setting) => ({ ...setting })), problems, warnings },
      [table([["SETTING", "VALUE", "FROM"], ...rows]), ...warnings.map((line) => `\nWarning: ${line}`)].join("\n")
    )
    if (problems.length === 0) return
    return yield* new CommandFailed({
      happened: ["The service won't start with this configuration:", ...problems.map((line) => `  - ${line}`)].join(
        "\n"
      ),
      done: "",
      todo: `${settingsFile()} describes every setting.`
    })
  })
).pipe(
  Command.withDescription(
    "Prints every setting with its value and source: the environment, a file (<NAME>_FILE) or the default. Secrets are masked. If the service wouldn't start, lists all problems and exits with 1."
  ),
  Command.withShortDescription("Prints every setting with its value and source")
)

/** The configuration of a service started in this environment. */
export const config = Command.make("config").pipe(
  Command.withDescription("Shows the configuration of a service started in this environment"),
  Command.withSubcommands([printed])
)

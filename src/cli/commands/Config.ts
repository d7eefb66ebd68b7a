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
      happened: ["A service with this configuration would not start:", ...problems.map((line) => `  - ${line}`)].join(
        "\n"
      ),
      done: "",
      todo: `${settingsFile()} describes every setting.`
    })
  })
).pipe(
  Command.withDescription(
    "Prints every setting with its value and where that comes from: the environment, a file (<NAME>_FILE) or the default. Secrets are masked. Ends with 1, and all problems at once, if the service would refuse to start."
  ),
  Command.withShortDescription("Prints every setting, its value and where that comes from")
)

/** The configuration of a service started in this environment. */
export const config = Command.make("config").pipe(
  Command.withDescription("Shows the configuration that the service would have if it were started here"),
  Command.withSubcommands([printed])
)

import { writeFileSync } from "node:fs"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { inspectSettings } from "#server/Config"
import { CommandFailed } from "../CommandFailed.ts"
import { Environment } from "../Environment.ts"
import { print } from "../Output.ts"
import { Screen } from "../Screen.ts"

const output = Flag.String("output").pipe(
  Flag.withAlias("o"),
  Flag.withMetavar("<file>"),
  Flag.optional,
  Flag.withDescription("Write it to this file. Default: the standard output")
)

/** The OpenAPI document of this release, without a service that runs. */
export const openapi = Command.make(
  "openapi",
  { output },
  Effect.fnUntraced(function* ({ output }) {
    const { all } = yield* Environment
    const { settings } = yield* inspectSettings(all)
    const { openApi } = yield* Effect.promise(() => import("#server/OpenApi"))
    const text = `${JSON.stringify(yield* openApi(settings), undefined, 2)}\n`
    if (Option.isNone(output)) return yield* (yield* Screen).out(text)
    const file = output.value
    yield* Effect.try({
      try: () => writeFileSync(file, text),
      catch: (cause) =>
        new CommandFailed({
          happened: `The document can't be written: ${cause instanceof Error ? cause.message : String(cause)}.`,
          todo: "Name a file in a folder that exists, on a disk with room for it."
        })
    })
    yield* print({ file, bytes: Buffer.byteLength(text) }, `Wrote ${file}.`)
  })
).pipe(
  Command.withDescription(
    "Writes the OpenAPI 3.1 document of this release, as a service serves it at /openapi.json. Needs no database and no running service."
  ),
  Command.withShortDescription("Writes the OpenAPI document of this release"),
  Command.withExamples([{ command: "sallyport openapi > openapi.json" }])
)

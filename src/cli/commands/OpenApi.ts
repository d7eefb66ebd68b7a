import { closeSync, openSync, writeFileSync } from "node:fs"
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
  Flag.withDescription("The file to write. Default: stdout")
)

const written = <A>(write: () => A) =>
  Effect.try({
    try: write,
    catch: (cause) =>
      new CommandFailed({
        happened: `Can't write the document: ${cause instanceof Error ? cause.message : String(cause)}.`,
        todo: "Choose a file in an existing folder, on a disk with enough space."
      })
  })

const opened = (file: string) => written(() => openSync(file, "w"))

/** Prints this release's OpenAPI document, without a running service. */
export const openapi = Command.make(
  "openapi",
  { output },
  Effect.fnUntraced(function* ({ output }) {
    // Opened first, so that a missing folder is reported immediately.
    const file = Option.isNone(output) ? undefined : { name: output.value, open: yield* opened(output.value) }
    const { all } = yield* Environment
    const { settings } = yield* inspectSettings(all)
    const { openApi } = yield* Effect.promise(() => import("#server/OpenApi"))
    const text = `${JSON.stringify(yield* openApi(settings), undefined, 2)}\n`
    if (file === undefined) return yield* (yield* Screen).out(text)
    yield* written(() => {
      writeFileSync(file.open, text)
      closeSync(file.open)
    })
    yield* print({ file: file.name, bytes: Buffer.byteLength(text) }, `Wrote ${file.name}.`)
  })
).pipe(
  Command.withDescription(
    "Writes the OpenAPI 3.1 document of this release, as served at /openapi.json. Needs no database and no running service."
  ),
  Command.withShortDescription("Writes the OpenAPI document of this release"),
  Command.withExamples([{ command: "sallyport openapi > openapi.json" }])
)

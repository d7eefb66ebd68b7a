import { readFileSync } from "node:fs"
import { Effect, Option, Schema } from "effect"
import { CommandFailed } from "./CommandFailed.ts"
import { configurationFile, reasonOf, writePrivately } from "./PrivateFile.ts"

const Text = Schema.String

/** What the commands remember between runs, stored as JSON next to the login. */
export const Remembered = Schema.Struct({
  /** The ID of the realm to use, by the URL of its service. */
  realms: Schema.Record(Text, Text),
  /** The secret that signs forwarded events. */
  webhook_secret: Schema.optionalKey(Text)
})

export type Remembered = typeof Remembered.Type

const NOTHING: Remembered = { realms: {} }

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Remembered))

const isMissing = (cause: unknown) => cause instanceof Error && "code" in cause && cause.code === "ENOENT"

const rememberedFile = configurationFile("remembered.json")

/** Reads what was remembered. Returns empty values if there is no file. */
export const readRemembered = Effect.gen(function* () {
  const file = yield* rememberedFile
  if (file === undefined) return NOTHING
  const text = yield* Effect.try({ try: () => readFileSync(file, "utf8"), catch: (cause) => cause }).pipe(
    Effect.catch((cause) =>
      isMissing(cause)
        ? Effect.succeed(undefined)
        : Effect.fail(new CommandFailed({ happened: `Can't read ${file}: ${reasonOf(cause)}.` }))
    )
  )
  if (text === undefined) return NOTHING
  const found = decode(text)
  if (Option.isSome(found)) return found.value
  return yield* new CommandFailed({ happened: `The file ${file} is damaged.`, todo: "Delete it and try again." })
})

/** Replaces what was remembered. Returns the file. */
export const saveRemembered = Effect.fnUntraced(function* (remembered: Remembered) {
  const file = yield* rememberedFile
  if (file !== undefined) return yield* Effect.as(writePrivately(file, remembered, "the settings"), file)
  return yield* new CommandFailed({
    happened: "There is no home folder to remember this in.",
    todo: "Set XDG_CONFIG_HOME to a folder."
  })
})

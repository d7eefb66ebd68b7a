import { readFileSync, rmSync } from "node:fs"
import { Effect, Option, Schema } from "effect"
import { Flag, GlobalFlag } from "effect/cli"
import { CommandFailed } from "../CommandFailed.ts"
import { configurationFile, reasonOf, writePrivately } from "../PrivateFile.ts"

const Text = Schema.String

/** The result of `login`, stored as JSON in a file that only its owner can read. */
export const StoredLogin = Schema.Struct({
  issuer: Text,
  client_id: Text,
  scope: Text,
  /** The access token's resource servers. If empty or missing, the token is only for the issuer. */
  resources: Schema.optionalKey(Schema.Array(Text)),
  access_token: Text,
  /** In Unix seconds. */
  expires_at: Schema.Number,
  refresh_token: Schema.NullOr(Text)
})

export type StoredLogin = typeof StoredLogin.Type

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(StoredLogin))

/** `--token-file`: the file with the login. */
export const TokenFile = GlobalFlag.Setting("token-file")({
  flag: Flag.String("token-file").pipe(
    Flag.withMetavar("<file>"),
    Flag.optional,
    Flag.withDescription("The file for the login. Default: sallyport/login.json in $XDG_CONFIG_HOME, else in ~/.config")
  )
})

/** The configured token file. */
export const tokenFile = Effect.gen(function* () {
  const named = yield* TokenFile
  if (Option.isSome(named)) return named.value
  const file = yield* configurationFile("login.json")
  if (file !== undefined) return file
  return yield* new CommandFailed({
    happened: "There is no home folder to store the login in.",
    todo: "Use --token-file."
  })
})

/** Stores a login in a file that only its owner can read. */
export const saveLogin = (file: string, login: StoredLogin) => writePrivately(file, login, "the login")

const NOT_LOGGED_IN = new CommandFailed({
  happened: "You are not logged in.",
  done: "",
  todo: "Run sallyport login --issuer <url> --client-id <id>."
})

/** Reads the login stored in a file. */
export const readLogin = Effect.fnUntraced(function* (file: string) {
  const text = yield* Effect.try({ try: () => readFileSync(file, "utf8"), catch: () => NOT_LOGGED_IN })
  const login = decode(text)
  if (Option.isSome(login)) return login.value
  return yield* new CommandFailed({
    happened: `The file ${file} contains no login.`,
    todo: "Run sallyport login again."
  })
})

/** Deletes the login stored in a file. */
export const deleteLogin = (file: string) =>
  Effect.try({
    try: () => rmSync(file, { force: true }),
    catch: (cause) => new CommandFailed({ happened: `Can't delete the file ${file}: ${reasonOf(cause)}.` })
  })

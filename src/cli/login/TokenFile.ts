import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Effect, Option, Schema } from "effect"
import { Flag, GlobalFlag } from "effect/cli"
import { CommandFailed } from "../CommandFailed.ts"
import { Environment } from "../Environment.ts"

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
  const { all } = yield* Environment
  const named = yield* TokenFile
  if (Option.isSome(named)) return named.value
  const folder = all["XDG_CONFIG_HOME"] ?? (all["HOME"] === undefined ? undefined : join(all["HOME"], ".config"))
  if (folder !== undefined && folder !== "") return join(folder, "sallyport", "login.json")
  return yield* new CommandFailed({
    happened: "There is no home folder to store the login in.",
    todo: "Use --token-file."
  })
})

const reasonOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))

/** Stores a login. The file is written atomically and is never readable by others. */
export const saveLogin = (file: string, login: StoredLogin) =>
  Effect.try({
    try: () => {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      const fresh = `${file}.${process.pid}.new`
      rmSync(fresh, { force: true })
      writeFileSync(fresh, `${JSON.stringify(login, undefined, 2)}\n`, { mode: 0o600, flag: "wx" })
      renameSync(fresh, file)
    },
    catch: (cause) => new CommandFailed({ happened: `Can't save the login to ${file}: ${reasonOf(cause)}.` })
  })

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

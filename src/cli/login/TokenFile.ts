import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Effect, Option, Schema } from "effect"
import { Flag, GlobalFlag } from "effect/cli"
import { CommandFailed } from "../CommandFailed.ts"
import { Environment } from "../Environment.ts"

const Text = Schema.String

/** What `login` keeps of a login, as JSON in a file that only its owner can read. */
export const StoredLogin = Schema.Struct({
  issuer: Text,
  client_id: Text,
  scope: Text,
  /** What the access token is for; empty or missing: the issuer alone. */
  resources: Schema.optionalKey(Schema.Array(Text)),
  access_token: Text,
  /** In seconds since 1970. */
  expires_at: Schema.Number,
  refresh_token: Schema.NullOr(Text)
})

export type StoredLogin = typeof StoredLogin.Type

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(StoredLogin))

/** `--token-file`: where the login is. */
export const TokenFile = GlobalFlag.Setting("token-file")({
  flag: Flag.String("token-file").pipe(
    Flag.withMetavar("<file>"),
    Flag.optional,
    Flag.withDescription("The file of the login. Default: sallyport/login.json in $XDG_CONFIG_HOME, else in ~/.config")
  )
})

/** The file that the options and the environment name. */
export const tokenFile = Effect.gen(function* () {
  const { all } = yield* Environment
  const named = yield* TokenFile
  if (Option.isSome(named)) return named.value
  const folder = all["XDG_CONFIG_HOME"] ?? (all["HOME"] === undefined ? undefined : join(all["HOME"], ".config"))
  if (folder !== undefined && folder !== "") return join(folder, "sallyport", "login.json")
  return yield* new CommandFailed({
    happened: "There is no home folder to keep a login in.",
    todo: "Use --token-file."
  })
})

const reasonOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))

/** Keeps a login. The file is there as a whole or not at all, and never readable for others. */
export const keepLogin = (file: string, login: StoredLogin) =>
  Effect.try({
    try: () => {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      const fresh = `${file}.${process.pid}.new`
      rmSync(fresh, { force: true })
      writeFileSync(fresh, `${JSON.stringify(login, undefined, 2)}\n`, { mode: 0o600, flag: "wx" })
      renameSync(fresh, file)
    },
    catch: (cause) => new CommandFailed({ happened: `The login can't be kept in ${file}: ${reasonOf(cause)}.` })
  })

const NOT_LOGGED_IN = new CommandFailed({
  happened: "You are not logged in.",
  done: "",
  todo: "Run sallyport login --issuer <url> --client-id <id>."
})

/** The login that is kept in a file. */
export const readLogin = Effect.fnUntraced(function* (file: string) {
  const text = yield* Effect.try({ try: () => readFileSync(file, "utf8"), catch: () => NOT_LOGGED_IN })
  const login = decode(text)
  if (Option.isSome(login)) return login.value
  return yield* new CommandFailed({ happened: `The file ${file} holds no login.`, todo: "Run sallyport login again." })
})

/** Forgets the login in a file. */
export const forgetLogin = (file: string) =>
  Effect.try({
    try: () => rmSync(file, { force: true }),
    catch: (cause) => new CommandFailed({ happened: `The file ${file} can't be deleted: ${reasonOf(cause)}.` })
  })

import { readFileSync } from "node:fs"
import { Clock, Context, Effect, flow, Option } from "effect"
import { Command, Flag, GlobalFlag } from "effect/cli"
import { Forbidden, NotFound } from "#client/Errors"
import type { Fetch as Send } from "#client/Fetch"
import type { CallOptions } from "#client/Form"
import { Sallyport } from "#client/Sallyport"
import { clockWarning } from "./ClockSkew.ts"
import { CommandFailed, WrongUsage } from "./CommandFailed.ts"
import { Environment } from "./Environment.ts"
import { printStatus } from "./Output.ts"
import { readRemembered } from "./Remembered.ts"
import { explainRemote } from "./RemoteFailure.ts"
import type { Screen } from "./Screen.ts"
import { WorkDone } from "./WorkDone.ts"

/** `--url`: the URL of the service. */
export const Url = GlobalFlag.Setting("url")({
  flag: Flag.String("url").pipe(
    Flag.withMetavar("<url>"),
    Flag.optional,
    Flag.withDescription("The URL of the service. Default: SALLYPORT_URL, else http://localhost:3000")
  )
})

/**
 * `--key-file`: the file with the API key. The key itself is never an option, because all users of a machine can read a
 * command's options.
 */
export const KeyFile = GlobalFlag.Setting("key-file")({
  flag: Flag.String("key-file").pipe(
    Flag.withMetavar("<file>"),
    Flag.optional,
    Flag.withDescription("The file with the API key. Default: SALLYPORT_KEY, else the file named by SALLYPORT_KEY_FILE")
  )
})

/** Whether a command and its subcommands call a service. */
export const CallsService = Context.Reference<boolean>("sallyport/cli/CallsService", { defaultValue: () => false })

/** Adds `--url` and `--key-file` to a command and its subcommands. */
export const withRemote = flow(Command.withGlobalFlags([Url, KeyFile]), Command.annotate(CallsService, true))

/** Sends requests; replaced in tests. */
export const Fetch = Context.Reference<Send>("sallyport/cli/Fetch", {
  defaultValue: () => (url, init) => globalThis.fetch(url, init)
})

/** A client request that is canceled when the command is stopped. */
type Request<A> = (sallyport: Sallyport, options: CallOptions) => PromiseLike<A>

/** The service that a command calls, with its API key. */
export interface Remote {
  readonly url: string
  readonly key: string
  /** The realm of the calls, for API keys that are not bound to one. */
  readonly realmId: string | undefined
  /** The raw client, for streams. `explain` translates its errors. */
  readonly sallyport: Sallyport
  readonly explain: (error: unknown) => Effect.Effect<CommandFailed>
  /** Makes a call that only reads. */
  readonly read: <A>(
    request: Request<A>
  ) => Effect.Effect<A, CommandFailed, GlobalFlag.Setting.Identifier<"json"> | Screen>
  /** Makes a call that changes something. `done` describes the change in a sentence. */
  readonly change: <A>(
    done: string,
    request: Request<A>
  ) => Effect.Effect<A, CommandFailed, GlobalFlag.Setting.Identifier<"json"> | Screen | WorkDone>
}

const causeText = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))

/** The message for an invalid setting. The client's own message names its option instead. */
const wrongSetting = (cause: unknown) =>
  new WrongUsage({ happened: causeText(cause), todo: "Set SALLYPORT_URL or --url, and SALLYPORT_KEY or --key-file." })

const keyIn = (file: string) =>
  Effect.try({
    try: () => readFileSync(file, "utf8").trim(),
    catch: (cause) => new WrongUsage({ happened: `Can't read the API key file: ${causeText(cause)}.` })
  })

const managementKey = Effect.gen(function* () {
  const { key, keyFile } = yield* Environment
  const file = Option.getOrElse(yield* KeyFile, () => (key === undefined ? keyFile : undefined))
  if (file !== undefined) {
    const content = yield* keyIn(file)
    if (content !== "") return content
    return yield* new WrongUsage({ happened: `The file ${file} contains no key.` })
  }
  if (key !== undefined) return key
  return yield* new WrongUsage({
    happened: "This command needs an API key.",
    todo: "Set SALLYPORT_KEY, or use --key-file. The first key of a service is its root key: it was shown at the first start, or is in the file root_key in the data folder."
  })
})

/** The service and the key, if configured, for commands that also work without them. */
export const optionalRemote = Effect.gen(function* () {
  const environment = yield* Environment
  const url = Option.getOrElse(yield* Url, () => environment.url)
  const parsed = url === undefined ? undefined : URL.parse(url)
  if (parsed === null || (parsed !== undefined && !/^https?:$/.test(parsed.protocol))) {
    return yield* wrongSetting(new Error(`${url} is not a valid service URL.`))
  }
  const isKeyNamed = Option.isSome(yield* KeyFile) || (environment.key ?? environment.keyFile) !== undefined
  return { url: parsed?.href.replace(/\/$/, ""), key: isKeyNamed ? yield* managementKey : undefined }
})

/** The URL of the configured service. */
export const serviceUrl = Effect.gen(function* () {
  const environment = yield* Environment
  const text = Option.getOrElse(yield* Url, () => environment.url ?? "http://localhost:3000")
  return URL.parse(text)?.href.replace(/\/$/, "") ?? text
})

/** The realm to use without `--realm`, and the sentence for the case that the service doesn't accept it. */
const defaultRealm = Effect.fnUntraced(function* (url: string) {
  const { realm } = yield* Environment
  if (realm !== undefined) return { id: realm, todo: `SALLYPORT_REALM names the realm ${realm}.` }
  const id = (yield* readRemembered).realms[url]
  if (id === undefined) return undefined
  return { id, todo: `sallyport use chose the realm ${id}. Use --realm, or run sallyport use --clear.` }
})

/** Calls the configured service in a realm. `realm`: undefined for keys and resources of any realm. */
const remoteAt = Effect.fnUntraced(function* (
  url: string,
  realm: { readonly id: string; readonly todo?: string } | undefined
) {
  const key = yield* managementKey
  const send = yield* Fetch
  const clock = yield* Clock.Clock

  let warning: string | undefined
  const watched: Send = async (url, init) => {
    const response = await send(url, init)
    warning ??= clockWarning(response.headers.get("date"), clock.currentTimeMillisUnsafe())
    return response
  }
  // Users rerun a failed command themselves. Silent retries would look like a hang.
  const sallyport = yield* Effect.try({
    try: () => new Sallyport({ url, key, retries: 0, fetch: watched, realmId: realm?.id }),
    catch: wrongSetting
  })
  const warn = Effect.suspend(() => {
    const text = warning
    warning = ""
    return text === undefined || text === "" ? Effect.void : printStatus(text)
  })
  const explainCall = explainRemote({ url, key, send })
  const explain: Remote["explain"] = (error) =>
    Effect.map(explainCall(error), (failed) => {
      if (realm?.todo === undefined || !(error instanceof Forbidden || error instanceof NotFound)) return failed
      const todo = failed.todo === undefined ? realm.todo : `${realm.todo}\n${failed.todo}`
      return new CommandFailed({ happened: failed.happened, isRefusal: true, todo })
    })

  const read: Remote["read"] = (request) =>
    Effect.tryPromise({
      try: async (signal) => request(sallyport, { signal }),
      catch: (error) => error
    }).pipe(
      Effect.catch((error) => Effect.flatMap(explain(error), Effect.fail)),
      Effect.ensuring(warn)
    )

  const change: Remote["change"] = Effect.fnUntraced(function* (done, request) {
    const { note } = yield* WorkDone
    yield* note(() => "The request was already sent and may have been executed.")
    const answer = yield* read(request).pipe(
      Effect.tapError(({ isRefusal, isUnsent }) => {
        if (isUnsent === true) return note(() => "Nothing was sent.")
        return isRefusal === true ? note(() => "Nothing was changed.") : Effect.void
      })
    )
    yield* note(() => done)
    return answer
  })

  return { url, key, realmId: realm?.id, sallyport, explain, read, change } satisfies Remote
})

/** The configured service, for calls that are not about one realm. */
export const remote = Effect.flatMap(serviceUrl, (url) => remoteAt(url, undefined))

/**
 * The configured service, for calls in a realm: that of `--realm`, else of SALLYPORT_REALM, else of `sallyport use`, else of
 * the key.
 */
export const remoteIn = Effect.fnUntraced(function* (realm: string | undefined) {
  const url = yield* serviceUrl
  return yield* remoteAt(url, realm === undefined ? yield* defaultRealm(url) : { id: realm })
})

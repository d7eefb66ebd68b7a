import { readFileSync } from "node:fs"
import { Context, Effect, Option, Predicate } from "effect"
import { Command, Flag, GlobalFlag } from "effect/cli"
import { type CommandFailed, WrongUsage } from "./CommandFailed.ts"
import { Environment } from "./Environment.ts"
import { refusedBy, timedOut, unreachable } from "./RemoteFailure.ts"
import { WorkDone } from "./WorkDone.ts"

/** `--url`: where the service is. */
export const Url = GlobalFlag.Setting("url")({
  flag: Flag.String("url").pipe(
    Flag.withMetavar("<url>"),
    Flag.optional,
    Flag.withDescription("Where the service is. Default: SALLYPORT_URL, else http://localhost:3000")
  )
})

/** `--key-file`: where the management key is. The key itself is never an option, which everyone on a machine can read. */
export const KeyFile = GlobalFlag.Setting("key-file")({
  flag: Flag.String("key-file").pipe(
    Flag.withMetavar("<file>"),
    Flag.optional,
    Flag.withDescription(
      "The file with the management key. Default: SALLYPORT_KEY, else the file named by SALLYPORT_KEY_FILE"
    )
  )
})

/** Gives a command and those below it `--url` and `--key-file`. */
export const withRemote = Command.withGlobalFlags([Url, KeyFile])

/** How requests are sent; tests answer them. */
export const Fetch = Context.Reference<typeof globalThis.fetch>("sallyport/cli/Fetch", {
  defaultValue: () => globalThis.fetch
})

/** How long the service may take to answer, in seconds. */
const PATIENCE = 30

/** A service that a command calls, with its management key. */
export interface Remote {
  readonly url: string
  readonly key: string
  /** Sends a request, and returns the JSON of its answer; undefined if that is empty. */
  readonly call: (
    method: "GET" | "POST" | "PATCH" | "DELETE",
    path: string,
    body?: object
  ) => Effect.Effect<unknown, CommandFailed, WorkDone>
}

const serviceUrl = Effect.gen(function* () {
  const { url } = yield* Environment
  const text = Option.getOrElse(yield* Url, () => url ?? "http://localhost:3000")
  const parsed = URL.parse(text)
  if (parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.search === "" && parsed.hash === "")
    return parsed.href.endsWith("/") ? parsed.href.slice(0, -1) : parsed.href
  return yield* new WrongUsage({
    happened: `${text} is not the URL of a service.`,
    todo: "It looks like https://id.example.com."
  })
})

const managementKey = Effect.gen(function* () {
  const { key, keyFile } = yield* Environment
  const file = Option.getOrElse(yield* KeyFile, () => (key === undefined ? keyFile : undefined))
  if (file !== undefined) {
    const content = yield* Effect.try({
      try: () => readFileSync(file, "utf8").trim(),
      catch: (cause) =>
        new WrongUsage({
          happened: `The file of the management key can't be read: ${cause instanceof Error ? cause.message : String(cause)}.`
        })
    })
    if (content !== "") return content
    return yield* new WrongUsage({ happened: `There is no key in the file ${file}.` })
  }
  if (key !== undefined) return key
  return yield* new WrongUsage({
    happened: "This command needs a management key.",
    todo: "Set SALLYPORT_KEY, or name a file with --key-file. The first key of a service is its root key: it was shown at the first start, or is in the file root_key in the data folder."
  })
})

const membersOf = async (response: Response): Promise<unknown> => {
  const text = await response.text()
  try {
    return text === "" ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

const textsIn = (body: unknown): ReadonlyArray<string> =>
  Predicate.hasProperty(body, "errors") && Array.isArray(body.errors)
    ? body.errors.filter((error) => typeof error === "string")
    : []

/** The service that the options and the environment name. */
export const remote = Effect.gen(function* () {
  const url = yield* serviceUrl
  const key = yield* managementKey
  const fetch = yield* Fetch

  const call: Remote["call"] = Effect.fnUntraced(function* (method, path, body) {
    const { note } = yield* WorkDone
    const isRead = method === "GET"
    if (!isRead) yield* note(() => `${method} ${path} was already sent, and may have been carried out.`)
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { "content-type": "application/json" })
    }
    const response = yield* Effect.tryPromise({
      try: (signal) =>
        fetch(`${url}${path}`, {
          method,
          headers,
          signal,
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        }),
      catch: (cause) => unreachable(url, cause)
    }).pipe(
      Effect.timeoutOrElse({
        duration: `${PATIENCE} seconds`,
        orElse: () => Effect.fail(timedOut(url, PATIENCE))
      })
    )
    const answer = yield* Effect.promise(() => membersOf(response))
    if (response.ok) {
      if (!isRead) yield* note(() => `${method} ${path} was carried out.`)
      return answer
    }
    if (!isRead && response.status < 500) yield* note(() => "Nothing was changed.")
    const seconds = Number(response.headers.get("retry-after") ?? Number.NaN)
    return yield* refusedBy(url, {
      status: response.status,
      errors: textsIn(answer),
      requestId: response.headers.get("x-request-id") ?? undefined,
      retryAfter: Number.isFinite(seconds) ? seconds : undefined
    })
  })

  return { url, key, call } satisfies Remote
})

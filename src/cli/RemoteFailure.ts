import { Effect, Predicate } from "effect"
import { type Failure, isFailure } from "#client/Errors"
import { RELEASE } from "#server/Command"
import { CommandFailed } from "./CommandFailed.ts"
import type { Destination } from "./Destination.ts"
import { lacksRealm, realmMissing } from "./RealmMissing.ts"

const startIt = "Start the service, for example with sallyport serve, or set its URL with --url or SALLYPORT_URL."
const unknownAuthority = [
  "its TLS certificate is signed by an unknown authority",
  "Add its certificate authority with NODE_EXTRA_CA_CERTS=<file>."
] as const
const noTls = ["it doesn't support TLS", "Use http:// in --url or SALLYPORT_URL."] as const

/** The meaning of a connection error, by code, and what to do about it. */
const connections: Readonly<Record<string, readonly [happened: string, todo: string]>> = {
  ECONNREFUSED: ["the connection was refused", startIt],
  ENOTFOUND: ["the host name is unknown", "Check the name in --url or SALLYPORT_URL."],
  EAI_AGAIN: ["the host name could not be resolved", "Check this machine's network and DNS."],
  ECONNRESET: ["the connection was lost", "Run the command again. If the problem persists, check the service's log."],
  UND_ERR_SOCKET: [
    "the connection was lost",
    "Run the command again. If the problem persists, check the service's log."
  ],
  UND_ERR_CONNECT_TIMEOUT: ["the connection timed out", "Check the address and any firewalls."],
  EHOSTUNREACH: ["the host is unreachable", "Check this machine's network."],
  ENETUNREACH: ["the host is unreachable", "Check this machine's network."],
  CERT_HAS_EXPIRED: ["its TLS certificate has expired", "Renew the certificate."],
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  ERR_TLS_CERT_ALTNAME_INVALID: [
    "its TLS certificate is for a different host",
    "Use the certificate's host in --url or SALLYPORT_URL."
  ],
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls
}

/** The error codes of connections that broke before the response. The service may have received the request. */
const cutCodes: ReadonlySet<string> = new Set(["ECONNRESET", "UND_ERR_SOCKET"])

/** The system's error code, at any depth. */
export const codeOf = (cause: unknown): string | undefined => {
  if (Predicate.hasProperty(cause, "code") && typeof cause.code === "string") return cause.code
  return Predicate.hasProperty(cause, "cause") ? codeOf(cause.cause) : undefined
}

/** Whether a call failed before a connection was open, so that nothing was sent. */
const isUnsent = ({ _tag, cause }: Failure): boolean => {
  const code = codeOf(cause)
  return _tag === "ConnectionFailed" && code !== undefined && Object.hasOwn(connections, code) && !cutCodes.has(code)
}

/** The message of the innermost cause; `fetch` itself reports only that it failed. */
const reasonOf = (cause: unknown): string =>
  cause instanceof Error ? (cause.cause instanceof Error ? reasonOf(cause.cause) : cause.message) : String(cause)

/** Returns why a connection failed, as a clause. */
export const whyUnreachable = (cause: unknown): string => {
  const code = codeOf(cause)
  return connections[code ?? ""]?.[0] ?? code ?? reasonOf(cause)
}

const unreachable = (url: string, failure: Failure) => {
  const [, todo] = connections[codeOf(failure.cause) ?? ""] ?? ["", "Check --url or SALLYPORT_URL."]
  return { happened: `The service at ${url} can't be reached: ${whyUnreachable(failure)}.`, todo }
}

const sentencesOf = ({ errors }: Failure) => (errors.length === 0 ? "." : `: ${errors.join(" ")}`)

const later = ({ retryAfter }: Failure) =>
  `Run the command again ${retryAfter === undefined ? "in a minute" : `in ${retryAfter} seconds`}.`

/** The commands that list the resources named by a route parameter. */
const lists: Readonly<Record<string, string>> = {
  realms: "realms",
  api_keys: "keys",
  client_apps: "apps",
  grants: "grants",
  consents: "consents",
  hooks: "hooks",
  users: "users",
  orgs: "orgs"
}

/** Suggests where to look up an ID, based on the route: in `GET /v2/hooks/{hook_id}`, the ID of a hook. */
const checkId = ({ route, details }: Failure): string => {
  const isRealm = details.some(({ field }) => field === "realm_id" || field === "realm")
  const list = isRealm ? "realms" : lists[route.split("/")[2] ?? ""]
  return list === undefined ? "Check the ID." : `Check the ID: sallyport ${list} list shows what exists.`
}

/** The message and the advice for each kind of failure. */
const wordsOf = (url: string, failure: Failure): { readonly happened: string; readonly todo?: string } => {
  switch (failure._tag) {
    case "ConnectionFailed":
      return unreachable(url, failure)
    case "TimedOut":
      return {
        happened: `The service at ${url} took too long to respond.`,
        todo: `Check the service and its database at ${url}/readyz, then run the command again.`
      }
    case "UnexpectedAnswer":
      return {
        happened: `The server at ${url} is not Sallyport (status ${failure.status ?? "unknown"}).`,
        todo: "Check --url or SALLYPORT_URL, and any proxies."
      }
    case "Unauthorized":
      return {
        happened: `The service at ${url} rejected the API key${sentencesOf(failure)}`,
        todo: "Set SALLYPORT_KEY to an API key of this service, or use --key-file."
      }
    case "Forbidden":
      return {
        happened: `The API key isn't allowed to do this${sentencesOf(failure)}`,
        todo: "Use a key with a higher level, or one that isn't bound to another realm."
      }
    case "NotFound":
      return {
        happened: failure.errors.length === 0 ? "Not found." : failure.errors.join(" "),
        todo: checkId(failure)
      }
    case "RateLimited":
      return { happened: `Too many requests${sentencesOf(failure)}`, todo: later(failure) }
    case "Unavailable":
      return {
        happened: `The service at ${url} is currently unavailable${sentencesOf(failure)} Request ${failure.requestId ?? "unknown"}.`,
        todo: `${later(failure)} If the problem persists, look for the request in the service's log.`
      }
    default:
      return { happened: `The service rejected the request${sentencesOf(failure)}` }
  }
}

/** Failures that can be caused by a service of another release, with other endpoints or parameters. */
const mayBeOtherRelease: ReadonlySet<string> = new Set(["BadRequest", "Invalid", "NotFound", "UnexpectedAnswer"])

/** Returns the service's release, or undefined if unknown. */
const releaseOf = ({ url, key, send }: Destination) =>
  Effect.tryPromise(async (signal) => {
    const response = await send(`${url}/readyz`, {
      method: "GET",
      headers: { authorization: `Bearer ${key}` },
      redirect: "manual",
      signal
    })
    const body: unknown = JSON.parse(await response.text())
    return Predicate.hasProperty(body, "version") && typeof body.version === "string" ? body.version : undefined
  }).pipe(
    Effect.timeout("5 seconds"),
    Effect.orElseSucceed(() => undefined)
  )

/** Translates a failed call into a command's failure. */
export const explainRemote =
  (destination: Destination) =>
  (error: unknown): Effect.Effect<CommandFailed> =>
    Effect.gen(function* () {
      if (!isFailure(error)) return yield* Effect.die(error)
      const { happened, todo } = wordsOf(destination.url, error)
      if (lacksRealm(error)) return new CommandFailed({ ...(yield* realmMissing(destination)), isRefusal: true })
      const isRefusal = error.status !== undefined && error.status < 500
      const release = mayBeOtherRelease.has(error._tag) ? yield* releaseOf(destination) : undefined
      const other =
        release === undefined || release === RELEASE
          ? undefined
          : `The service is release ${release}, but this program is release ${RELEASE}. Use the matching program: npm install sallyport@${release} sallyport-service@${release}.`
      const todos = [todo, other].filter((line) => line !== undefined)
      return new CommandFailed({
        happened,
        isRefusal,
        isUnsent: isUnsent(error),
        ...(todos.length === 0 ? {} : { todo: todos.join("\n") })
      })
    })

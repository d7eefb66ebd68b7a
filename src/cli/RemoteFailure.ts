import { Predicate } from "effect"
import { CommandFailed } from "./CommandFailed.ts"

/** What a service answered to a request that it refused. */
export interface Refusal {
  readonly status: number
  /** Its own sentences, if it sent any. */
  readonly errors: ReadonlyArray<string>
  readonly requestId: string | undefined
  /** After how many seconds to try again, if it said so. */
  readonly retryAfter: number | undefined
}

const startIt = "Start the service, for example with sallyport serve, or say where it is with --url or SALLYPORT_URL."

/** What the system's code of a failed connection means, and what to do. */
const connections: Readonly<Record<string, readonly [happened: string, todo: string]>> = {
  ECONNREFUSED: ["nothing listens there", startIt],
  ENOTFOUND: ["that name is unknown", "Check the name in --url or SALLYPORT_URL."],
  EAI_AGAIN: ["the name could not be looked up", "Check this machine's network and its name server."],
  ECONNRESET: ["the connection was cut", "Run the command again. If it stays like this, look at the service's log."],
  EHOSTUNREACH: ["no route leads there", "Check this machine's network."],
  ENETUNREACH: ["no route leads there", "Check this machine's network."],
  CERT_HAS_EXPIRED: ["its TLS certificate has expired", "Renew the certificate."],
  DEPTH_ZERO_SELF_SIGNED_CERT: [
    "its TLS certificate is signed by nobody that this machine knows",
    "Name its certificate authority with NODE_EXTRA_CA_CERTS=<file>."
  ],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    "its TLS certificate is signed by nobody that this machine knows",
    "Name its certificate authority with NODE_EXTRA_CA_CERTS=<file>."
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    "its TLS certificate is for another name",
    "Use the name that the certificate is for in --url or SALLYPORT_URL."
  ],
  ERR_SSL_WRONG_VERSION_NUMBER: ["it does not speak TLS", "Use http:// in --url or SALLYPORT_URL."],
  ERR_SSL_PACKET_LENGTH_TOO_LONG: ["it does not speak TLS", "Use http:// in --url or SALLYPORT_URL."]
}

const codeOf = (cause: unknown): string | undefined => {
  if (!Predicate.hasProperty(cause, "code") || typeof cause.code !== "string") {
    return Predicate.hasProperty(cause, "cause") ? codeOf(cause.cause) : undefined
  }
  return cause.code
}

/** No answer came from the service at `url`. */
export const unreachable = (url: string, cause: unknown): CommandFailed => {
  const code = codeOf(cause)
  const [happened, todo] = connections[code ?? ""] ?? [
    code ?? (cause instanceof Error ? cause.message : String(cause)),
    "Check --url or SALLYPORT_URL."
  ]
  return new CommandFailed({ happened: `The service at ${url} can't be reached: ${happened}.`, todo })
}

/** The service at `url` took longer than `seconds` to answer. */
export const timedOut = (url: string, seconds: number): CommandFailed =>
  new CommandFailed({
    happened: `The service at ${url} did not answer within ${seconds} seconds.`,
    todo: `Open ${url}/readyz, which says whether the service and its database are well, then run the command again.`
  })

const todoOf = ({ status, retryAfter }: Refusal): string | undefined => {
  const later = retryAfter === undefined ? "in a minute" : `in ${retryAfter} seconds`
  if (status === 401)
    return "Set SALLYPORT_KEY to a management key of this service, or name its file with --key-file. The first key of a service is its root key."
  if (status === 403) return "Use a key of a higher level, or one that isn't locked to another realm."
  if (status === 404) return "Check the ID: sallyport realms list and sallyport keys list show those that exist."
  if (status === 429 || status === 503) return `Run the command again ${later}.`
  if (status >= 500) return "Run the command again. If it stays like this, look for the request in the service's log."
  return undefined
}

const names: Readonly<Record<number, string>> = {
  401: "The service refused the key",
  403: "The key may not do this",
  404: "There is no such thing in this service",
  429: "Too many requests"
}

/** The service at `url` refused a request. */
export const refusedBy = (url: string, refusal: Refusal): CommandFailed => {
  const { status, errors, requestId } = refusal
  const isOurs = requestId !== undefined || errors.length > 0
  if (!isOurs)
    return new CommandFailed({
      happened: `What answers at ${url} is not Sallyport: it said ${status}.`,
      todo: "Check --url or SALLYPORT_URL."
    })
  const name = names[status] ?? (status >= 500 ? `The service failed (${status})` : "The service refused this")
  const id = status >= 500 && requestId !== undefined ? ` Request ${requestId}.` : ""
  const todo = todoOf(refusal)
  return new CommandFailed({
    happened: `${name}${errors.length === 0 ? "." : `: ${errors.join(" ")}`}${id}`,
    ...(todo === undefined ? {} : { todo })
  })
}

import { Clock, Effect, Predicate, Schema } from "effect"
import type { Fetch, FetchResponse } from "#client/Fetch"
import { codeOf } from "../RemoteFailure.ts"

const Readiness = Schema.Struct({
  status: Schema.Literals(["ready", "not ready"]),
  version: Schema.optionalKey(Schema.String),
  database: Schema.optionalKey(Schema.String),
  clock: Schema.optionalKey(Schema.String),
  clock_skew_seconds: Schema.optionalKey(Schema.Finite),
  draining: Schema.optionalKey(Schema.Boolean),
  missing_keys: Schema.optionalKey(Schema.Array(Schema.String)),
  encryption_keys: Schema.optionalKey(Schema.Array(Schema.String)),
  request: Schema.optionalKey(
    Schema.Struct({
      ip: Schema.NullOr(Schema.String),
      peer: Schema.NullOr(Schema.String),
      peer_is_trusted: Schema.Boolean,
      host: Schema.NullOr(Schema.String),
      forwarded_for: Schema.NullOr(Schema.String),
      forwarded_proto: Schema.NullOr(Schema.String)
    })
  ),
  actors: Schema.optionalKey(
    Schema.Record(
      Schema.String,
      Schema.Struct({ ok: Schema.Boolean, restarts: Schema.Finite, lag_seconds: Schema.Finite })
    )
  )
})

/** A service's `/readyz` response. Only callers with an operator's key receive all members. */
export type Readiness = (typeof Readiness)["Type"]

/** A response from the service's URL. `readiness`: undefined if the responding server isn't Sallyport. */
export interface ServiceResponse {
  readonly _tag: "Answered"
  readonly status: number
  readonly readiness: Readiness | undefined
  /** The number of milliseconds that the service's clock is ahead of this machine's, or undefined without a Date header. */
  readonly ahead: number | undefined
}

/** No response. `code`: the system's error code, such as ECONNREFUSED, or TIMEOUT. */
export interface NoResponse {
  readonly _tag: "Unanswered"
  readonly code: string
}

/** The time limit for a response, in seconds. */
export const PATIENCE = 8

/** The Date header has whole seconds, so it lags by half a second on average. */
const HALF_A_SECOND = 500

const readReadiness = Schema.decodeUnknownOption(Readiness)

const bodyOf = async (response: FetchResponse): Promise<unknown> => {
  try {
    return JSON.parse(await response.text())
  } catch {
    return undefined
  }
}

/** Requests a service's readiness. Without a `key`, only services on this machine return more than the status. */
export const fetchReadiness = (
  fetch: Fetch,
  url: string,
  key: string | undefined
): Effect.Effect<ServiceResponse | NoResponse> =>
  Effect.gen(function* () {
    const sent = yield* Clock.currentTimeMillis
    const response = yield* Effect.tryPromise({
      try: (signal) =>
        fetch(`${url}/readyz`, {
          method: "GET",
          signal,
          redirect: "manual",
          headers: key === undefined ? {} : { authorization: `Bearer ${key}` }
        }),
      catch: (cause) => ({
        _tag: "Unanswered" as const,
        code: codeOf(cause) ?? (cause instanceof Error ? cause.message : String(cause))
      })
    })
    const received = yield* Clock.currentTimeMillis
    const body = yield* Effect.promise(() => bodyOf(response))
    const date = Date.parse(response.headers.get("date") ?? "")
    const readiness = readReadiness(body)
    return {
      _tag: "Answered" as const,
      status: response.status,
      readiness: Predicate.isTagged(readiness, "Some") ? readiness.value : undefined,
      ahead: Number.isNaN(date) ? undefined : date + HALF_A_SECOND - (sent + received) / 2
    }
  }).pipe(
    Effect.timeoutOrElse({
      duration: `${PATIENCE} seconds`,
      orElse: () => Effect.fail({ _tag: "Unanswered" as const, code: "TIMEOUT" })
    }),
    Effect.catch((unanswered) => Effect.succeed(unanswered))
  )

/** Returns why there was no response, as a clause. */
export const noResponseReason = ({ code }: NoResponse): string => reasons[code] ?? code

const reasons: Readonly<Record<string, string>> = {
  TIMEOUT: `no response within ${PATIENCE} seconds`,
  ECONNREFUSED: "the connection was refused",
  ENOTFOUND: "the host name is unknown",
  EAI_AGAIN: "the host name can't be resolved",
  ECONNRESET: "the connection was lost",
  EHOSTUNREACH: "the host is unreachable",
  ENETUNREACH: "the host is unreachable",
  UND_ERR_SOCKET: "the connection was lost",
  CERT_HAS_EXPIRED: "its TLS certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its TLS certificate is signed by an unknown authority",
  SELF_SIGNED_CERT_IN_CHAIN: "its TLS certificate is signed by an unknown authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its TLS certificate is signed by an unknown authority",
  ERR_TLS_CERT_ALTNAME_INVALID: "its TLS certificate is for a different host",
  ERR_SSL_WRONG_VERSION_NUMBER: "it doesn't support TLS",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "it doesn't support TLS"
}

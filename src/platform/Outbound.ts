import { Context, Data, type Effect } from "effect"

/** The header of every outbound request. A request that has it never counts as local, whichever machine it comes from (SEC-248). */
export const OUTBOUND_HEADER = "sallyport-outbound"

/** A POST to a URL configured by a caller. */
export interface OutboundPost {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The response to a POST. `excerpt` is the first 1 KB of the body. */
export interface PostResponse {
  readonly status: number
  /** The raw `Retry-After` header. */
  readonly retryAfter: string | undefined
  readonly excerpt: string
}

/** A request to a URL configured by a caller, when the whole response is needed. */
export interface OutboundRequest {
  readonly method: "GET" | "POST"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** The time limit for the response, in milliseconds of real time. It can only be less than 10 seconds. */
  readonly timeLimit?: number
  /** The maximum size of the response, in bytes. It can only be less than 256 KB. */
  readonly maxBytes?: number
}

/** The whole response, at most 256 KB. `body` is empty if it is not text, so that different bytes never become the same text. */
export interface OutboundResponse {
  readonly status: number
  readonly contentType: string | undefined
  /** The raw `Cache-Control` header. */
  readonly cacheControl?: string | undefined
  readonly body: string
}

/**
 * The reason a request got no response. `forbidden` means that the outbound policy blocks the URL or an address it resolves
 * to.
 */
export type OutboundFailure = "forbidden" | "unreachable" | "timed_out" | "broken_off"

/** No complete response was received. */
export class OutboundFailed extends Data.TaggedError("OutboundFailed")<{ readonly reason: OutboundFailure }> {}

/** The response exceeds the size limit. */
export class ResponseTooLarge extends Data.TaggedError("ResponseTooLarge") {}

/**
 * Sends requests to URLs configured by callers. Does not follow redirects, and blocks private addresses unless they are
 * allowed.
 */
export class Outbound extends Context.Service<
  Outbound,
  {
    /** Sends a POST. Times out after 15 seconds. */
    post(post: OutboundPost): Effect.Effect<PostResponse, OutboundFailed>
    /** Sends a request. Times out after 10 seconds, or earlier if the request sets a lower limit. */
    request(question: OutboundRequest): Effect.Effect<OutboundResponse, OutboundFailed | ResponseTooLarge>
  }
>()("sallyport/platform/Outbound") {}

import { Context, Data, type Effect } from "effect"

/** A POST to an address that a caller of ours has named. */
export interface OutboundPost {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What came back: the first 1 KB of the body at most. */
export interface OutboundAnswer {
  readonly status: number
  /** The `Retry-After` header as it was sent. */
  readonly retryAfter: string | undefined
  readonly excerpt: string
}

/** A question to such an address, whose whole answer is wanted. */
export interface OutboundQuestion {
  readonly method: "GET" | "POST"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** The whole answer, 256 KB at most. */
export interface OutboundReply {
  readonly status: number
  readonly contentType: string | undefined
  readonly body: string
}

/** Why there was no answer. `forbidden`: the address, or what it resolves to, is none we may reach. */
export type NoAnswer = "forbidden" | "unreachable" | "timed_out" | "broken_off"

/** Nothing, or nothing whole, came back. */
export class OutboundFailed extends Data.TaggedError("OutboundFailed")<{ readonly reason: NoAnswer }> {}

/** More came back than anybody needs. */
export class AnswerTooLarge extends Data.TaggedError("AnswerTooLarge") {}

/** Requests to addresses that callers of ours have named: no redirects, no private targets unless allowed. */
export class Outbound extends Context.Service<
  Outbound,
  {
    /** Within 15 seconds. */
    post(post: OutboundPost): Effect.Effect<OutboundAnswer, OutboundFailed>
    /** Within 10 seconds. */
    ask(question: OutboundQuestion): Effect.Effect<OutboundReply, OutboundFailed | AnswerTooLarge>
  }
>()("sallyport/platform/Outbound") {}

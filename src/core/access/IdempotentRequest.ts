import { Data } from "effect"
import type { CallerIdentity } from "#domain/Caller"

/** A request with an `Idempotency-Key`. `content` is the whole request. A repeat must have the same content. */
export interface IdempotentRequest {
  readonly callerId: CallerIdentity["id"]
  readonly path: string
  readonly key: string
  readonly content: string
}

/** A response that can be replayed. */
export interface StoredResponse {
  readonly status: number
  readonly body: string
}

/** The response to a request. `replayed` is true if the response was stored by an earlier request. */
export interface IdempotentResponse {
  readonly response: StoredResponse
  readonly replayed: boolean
}

/** The key was already used for a different request. */
export class KeyReused extends Data.TaggedError("KeyReused") {}

/** The request was already carried out, but its stored response can't be decrypted. It is not carried out again. */
export class ResponseUnreadable extends Data.TaggedError("ResponseUnreadable") {}

/** The first request with this key is still in progress. */
export class RequestInProgress extends Data.TaggedError("RequestInProgress")<{ readonly retryAfterSeconds: number }> {}

export type IdempotencyFailure = KeyReused | RequestInProgress | ResponseUnreadable

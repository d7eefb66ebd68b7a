import { Data } from "effect"
import type { ApiKeyId } from "#domain/Ids"

/** A request with an `Idempotency-Key`. `content`: all of the request, by which a repeat is compared with the original. */
export interface IdempotentRequest {
  readonly apiKeyId: ApiKeyId
  readonly path: string
  readonly key: string
  readonly content: string
}

/** A response that can be replayed. */
export interface StoredResponse {
  readonly status: number
  readonly body: string
}

/** The response of a request. `replayed`: whether it was stored by an earlier request. */
export interface IdempotentResponse {
  readonly response: StoredResponse
  readonly replayed: boolean
}

/** The key was used before, with another request. */
export class KeyReused extends Data.TaggedError("KeyReused") {}

/** The request was carried out, but its stored response can't be decrypted. It is not carried out again. */
export class ResponseUnreadable extends Data.TaggedError("ResponseUnreadable") {}

/** The first request with this key is still in progress. */
export class RequestInProgress extends Data.TaggedError("RequestInProgress")<{ readonly retryAfterSeconds: number }> {}

export type IdempotencyFailure = KeyReused | RequestInProgress | ResponseUnreadable

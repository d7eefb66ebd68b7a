import { Context, Data, DateTime, Effect, Layer, Semaphore } from "effect"
import type { ApiKeyId } from "#domain/Ids"
import { answerPlace } from "../SealedPlaces.ts"
import { Secrets } from "../Secrets.ts"
import { sameBytes, sha256 } from "../Tokens.ts"
import { Transaction } from "../Transaction.ts"
import { IdempotentRequestsRepo } from "./IdempotentRequestsRepo.ts"

/** A request that carries an `Idempotency-Key`: whose, where, which, and all that it asks there. */
export interface IdempotentRequest {
  readonly apiKeyId: ApiKeyId
  readonly path: string
  readonly key: string
  readonly asked: string
}

/** An answer that can be given again. */
export interface StoredAnswer {
  readonly status: number
  readonly body: string
}

/** The same key came with another request. */
export class KeyReused extends Data.TaggedError("KeyReused") {}

/** The request was carried out, and its stored answer can't be opened any more: it is not carried out again. */
export class AnswerUnreadable extends Data.TaggedError("AnswerUnreadable") {}

/** How many run at once: each holds a connection from beginning to end, and reads need theirs. */
const AT_ONCE = 4

/** Repeats of a request are answered as the first time (decision 12): 24 hours, per API key and path. */
export class IdempotentRequests extends Context.Service<
  IdempotentRequests,
  {
    /**
     * Answers a request once. The answer is stored, sealed, in the transaction of the change it tells of; `keep` says
     * which answers are. A repeat that comes while the first is at work waits for it.
     */
    once<E, R>(
      request: IdempotentRequest,
      answer: Effect.Effect<StoredAnswer, E, R>,
      keep: (answer: StoredAnswer) => boolean
    ): Effect.Effect<{ readonly answer: StoredAnswer; readonly repeated: boolean }, E | KeyReused | AnswerUnreadable, R>
  }
>()("sallyport/core/IdempotentRequests") {
  static readonly layer = Layer.effect(
    IdempotentRequests,
    Effect.gen(function* () {
      const repo = yield* IdempotentRequestsRepo
      const secrets = yield* Secrets
      const transaction = yield* Transaction
      const places = yield* Semaphore.make(AT_ONCE)

      const once = <E, R>(
        request: IdempotentRequest,
        answer: Effect.Effect<StoredAnswer, E, R>,
        keep: (answer: StoredAnswer) => boolean
      ) =>
        places.withPermit(
          transaction.run(
            Effect.gen(function* () {
              const createdAt = yield* DateTime.now
              const id = {
                apiKeyId: request.apiKeyId,
                keyDigest: sha256(JSON.stringify([request.path, request.key]))
              }
              // With the key, which is not stored: a dump is no place to guess at passwords that were sent.
              const requestDigest = sha256(JSON.stringify([request.key, request.asked]))
              const place = answerPlace(id.apiKeyId, id.keyDigest)
              yield* repo.deleteExpired(id, createdAt)
              const first = yield* repo.claim({
                ...id,
                path: request.path,
                requestDigest,
                createdAt,
                expiresAt: DateTime.add(createdAt, { hours: 24 })
              })
              if (first) {
                const given = yield* answer
                if (keep(given)) yield* repo.store(id, given.status, yield* secrets.seal(place, given.body))
                else yield* repo.delete(id)
                return { answer: given, repeated: false }
              }
              const stored = yield* repo.find(id)
              if (stored === undefined || !sameBytes(stored.requestDigest, requestDigest)) return yield* new KeyReused()
              const body = yield* secrets.open(place, stored.answer)
              if (body === null) return yield* new AnswerUnreadable()
              return { answer: { status: stored.status, body }, repeated: true }
            })
          )
        )

      return IdempotentRequests.of({ once })
    })
  )
}

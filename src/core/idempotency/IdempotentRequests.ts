import { Context, Data, DateTime, Effect, Layer, Semaphore } from "effect"
import { ACCOUNT, type ApiKeyId } from "#domain/Ids"
import { ApiKeyDigests } from "../credentials/ApiKeyDigests.ts"
import { answerPlace } from "../SealedPlaces.ts"
import { Secrets } from "../Secrets.ts"
import { sameBytes, sha256 } from "../Tokens.ts"
import { Transaction } from "../Transaction.ts"
import { IdempotentRequestsRepo, type RequestKey } from "./IdempotentRequestsRepo.ts"

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

/** What a release before this one has stored of a request: looked up until such rows are gone, a day after an upgrade. */
const formerDigests = ({ path, key, asked }: IdempotentRequest) => ({
  key: sha256(JSON.stringify([path, key])),
  request: sha256(JSON.stringify([key, asked]))
})

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
      const digests = yield* ApiKeyDigests
      const transaction = yield* Transaction
      const places = yield* Semaphore.make(AT_ONCE)

      const once = Effect.fnUntraced(function* <E, R>(
        request: IdempotentRequest,
        answer: Effect.Effect<StoredAnswer, E, R>,
        keep: (answer: StoredAnswer) => boolean
      ) {
        // Under a secret that no dump holds in clear: whoever has one can't try out keys, or passwords that were sent.
        const digest = (what: string, texts: ReadonlyArray<string>) =>
          digests.digest(ACCOUNT, `${what}\0${JSON.stringify(texts)}`)
        const requestDigest = yield* digest("idempotent request", [request.key, request.asked])
        const former = formerDigests(request)
        const id: RequestKey = {
          apiKeyId: request.apiKeyId,
          keyDigest: yield* digest("idempotency key", [request.path, request.key]),
          formerDigest: former.key
        }
        return yield* places.withPermit(
          transaction.run(
            Effect.gen(function* () {
              const createdAt = yield* DateTime.now
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
                const place = answerPlace(id.apiKeyId, id.keyDigest)
                if (keep(given)) yield* repo.store(id, given.status, yield* secrets.seal(place, given.body))
                else yield* repo.delete(id)
                return { answer: given, repeated: false }
              }
              const stored = yield* repo.find(id)
              const same = [requestDigest, former.request].some(
                (digest) => stored !== undefined && sameBytes(stored.requestDigest, digest)
              )
              if (stored === undefined || !same) return yield* new KeyReused()
              const body = yield* secrets.open(answerPlace(id.apiKeyId, stored.keyDigest), stored.answer)
              if (body === null) return yield* new AnswerUnreadable()
              return { answer: { status: stored.status, body }, repeated: true }
            })
          )
        )
      })

      return IdempotentRequests.of({ once })
    })
  )
}

import { Cause, Context, Data, DateTime, Duration, Effect, Fiber, FiberSet, Layer } from "effect"
import { ACCOUNT, type ApiKeyId } from "#domain/Ids"
import { Overloaded } from "#domain/Overloaded"
import { admitted, makeAdmission } from "#platform/Admission"
import { answerPlace } from "#platform/SecretPlaces"
import { Secrets } from "#platform/Secrets"
import { sameBytes } from "#platform/Tokens"
import { ownerIn, Transaction } from "#platform/Transaction"
import { IdempotentRequestsRepo, type Lease, type RequestKey } from "#store/IdempotentRequestsRepo"
import { ApiKeyDigests } from "../tokens/ApiKeyDigests.ts"

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

/** What was answered, now or before. */
export interface Answered {
  readonly answer: StoredAnswer
  readonly repeated: boolean
}

/** The same key came with another request. */
export class KeyReused extends Data.TaggedError("KeyReused") {}

/** The request was carried out, and its stored answer can't be opened any more: it is not carried out again. */
export class AnswerUnreadable extends Data.TaggedError("AnswerUnreadable") {}

/** The first request with this key is still at work. */
export class KeyAtWork extends Data.TaggedError("KeyAtWork")<{ readonly retryAfterSeconds: number }> {}

/** A request that was begun here, and may be answered for; or one that has its answer. */
type Claim = "begun" | StoredAnswer

/** A request by its digests: which it is, and what it asks. */
interface Digested extends RequestKey {
  readonly path: string
  readonly requestDigest: Uint8Array
}

type Refused = KeyReused | KeyAtWork | AnswerUnreadable

/** How many run at once in a transaction of their own from beginning to end, so that other changes have theirs. */
const AT_ONCE = 4

/** How many wait for one of these, and how many repeats wait for the same first one. */
const PLACES = 64
const REPEATS = 20

/** How long a request that goes outside may take, and for how much longer nobody else may begin it. */
const LONGEST = Duration.seconds(50)
const LEASE = Duration.seconds(60)

/** After how many seconds a repeat may come back, at most. */
const COME_BACK = 5

/** Repeats of a request are answered as the first time (decision 12): 24 hours, per API key and path. */
export class IdempotentRequests extends Context.Service<
  IdempotentRequests,
  {
    /**
     * Answers a request once. The answer is stored, sealed, in the transaction of the change it tells of; `keep` says
     * which answers are. A repeat that comes while the first is at work waits for it, for a while.
     */
    once<E, R>(
      request: IdempotentRequest,
      answer: Effect.Effect<StoredAnswer, E, R>,
      keep: (answer: StoredAnswer) => boolean
    ): Effect.Effect<Answered, E | Refused, R>
    /**
     * The same for a request that waits for someone outside: it is claimed by a lease, at work in no transaction, and its
     * answer is stored afterwards, also for one who has hung up. A repeat meanwhile is refused. One whose node died is begun
     * anew when its lease ends.
     */
    onceOutside<E, R>(
      request: IdempotentRequest,
      answer: Effect.Effect<StoredAnswer, E, R>,
      keep: (answer: StoredAnswer) => boolean
    ): Effect.Effect<Answered, E | Refused, R>
  }
>()("sallyport/core/IdempotentRequests") {
  static readonly layer = Layer.effect(
    IdempotentRequests,
    Effect.gen(function* () {
      const repo = yield* IdempotentRequestsRepo
      const secrets = yield* Secrets
      const digests = yield* ApiKeyDigests
      const transaction = yield* Transaction
      const underWay = yield* FiberSet.make()
      const places = makeAdmission({ name: "idempotent", atOnce: AT_ONCE, places: PLACES })
      const repeats = makeAdmission({
        name: "idempotent_repeats",
        atOnce: Number.POSITIVE_INFINITY,
        atOnceOfOne: 1,
        places: PLACES,
        placesOfOne: REPEATS
      })

      // Under a secret that no dump holds in clear: whoever has one can't try out keys, or passwords that were sent.
      const digest = (what: string, texts: ReadonlyArray<string>) =>
        digests.digest(ACCOUNT, `${what}\0${JSON.stringify(texts)}`)

      const digested = Effect.fnUntraced(function* ({ apiKeyId, path, key, asked }: IdempotentRequest) {
        const keyDigest = yield* digest("idempotency key", [path, key])
        const requestDigest = yield* digest("idempotent request", [key, asked])
        return { apiKeyId, path, keyDigest, requestDigest }
      })

      const placeOf = (id: RequestKey) => answerPlace(id.apiKeyId, id.keyDigest)

      /** Claims a request under a lease, or for the transaction it is called in. */
      const claim = Effect.fnUntraced(function* (
        request: Digested,
        now: DateTime.Utc,
        lease: Lease
      ): Effect.fn.Return<Claim, Refused> {
        yield* repo.deleteExpired(request, now)
        const expiresAt = DateTime.add(now, { hours: 24 })
        if (yield* repo.claim({ ...request, createdAt: now, expiresAt, lease })) return "begun"
        const found = yield* repo.find(request)
        if (found === undefined) return yield* new KeyAtWork({ retryAfterSeconds: 1 })
        if (!sameBytes(found.requestDigest, request.requestDigest)) return yield* new KeyReused()
        const { given, leasedUntil } = found
        if (given !== null) {
          const body = yield* secrets.open(placeOf(request), given.answer)
          return body === null ? yield* new AnswerUnreadable() : { status: given.status, body }
        }
        const ended = leasedUntil !== null && DateTime.isLessThanOrEqualTo(leasedUntil, now)
        if (lease !== null && ended && (yield* repo.takeOver(request, leasedUntil, lease))) return "begun"
        const left = leasedUntil === null ? 0 : leasedUntil.epochMilliseconds - now.epochMilliseconds
        return yield* new KeyAtWork({ retryAfterSeconds: Math.max(1, Math.min(COME_BACK, Math.ceil(left / 1000))) })
      })

      const store = Effect.fnUntraced(function* (id: RequestKey, lease: Lease, given: StoredAnswer, kept: boolean) {
        if (!kept) return yield* repo.release(id, lease)
        yield* repo.store(id, lease, given.status, yield* secrets.seal(placeOf(id), given.body))
      })

      const once = Effect.fnUntraced(function* <E, R>(
        asked: IdempotentRequest,
        answer: Effect.Effect<StoredAnswer, E, R>,
        keep: (answer: StoredAnswer) => boolean
      ) {
        const request = yield* digested(asked)
        const inTransaction = transaction.run(
          Effect.gen(function* () {
            const claimed = yield* claim(request, yield* DateTime.now, null)
            if (claimed !== "begun") return { answer: claimed, repeated: true }
            const given = yield* answer
            yield* store(request, null, given, keep(given))
            return { answer: given, repeated: false }
          })
        )
        const inPlace = Effect.contextWith((context: Context.Context<never>) =>
          Effect.result(admitted(places, ownerIn(context), inTransaction))
        )
        return yield* repeats.run(placeOf(request).row, inPlace).pipe(
          Effect.mapError(({ retryAfterSeconds }) => new KeyAtWork({ retryAfterSeconds })),
          Effect.flatMap(Effect.fromResult)
        )
      })

      const onceOutside = Effect.fnUntraced(function* <E, R>(
        asked: IdempotentRequest,
        answer: Effect.Effect<StoredAnswer, E, R>,
        keep: (answer: StoredAnswer) => boolean
      ) {
        const request = yield* digested(asked)
        const leased = Effect.gen(function* () {
          const now = yield* DateTime.now
          const lease = DateTime.addDuration(now, LEASE)
          return { claimed: yield* claim(request, now, lease), lease }
        })
        const carriedOut = Effect.gen(function* () {
          const { claimed, lease } = yield* transaction.run(leased)
          if (claimed !== "begun") return { answer: claimed, repeated: true }
          const given = yield* answer.pipe(
            // One that failed may begin anew at once. Of one that was cut off nobody knows how far it came: it keeps its lease.
            Effect.onError((cause) => (Cause.hasInterrupts(cause) ? Effect.void : repo.release(request, lease))),
            Effect.timeoutOrElse({
              duration: LONGEST,
              orElse: () => Effect.die(new Overloaded({ retryAfterSeconds: COME_BACK }))
            })
          )
          yield* store(request, lease, given, keep(given))
          return { answer: given, repeated: false }
        })
        // Who hangs up cuts nothing off: what was done is stored, and is not done again.
        return yield* Fiber.join(yield* FiberSet.run(underWay, carriedOut))
      })

      return IdempotentRequests.of({ once, onceOutside })
    })
  )
}

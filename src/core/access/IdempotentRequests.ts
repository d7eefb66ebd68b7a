import { Cause, Context, DateTime, Duration, Effect, Fiber, FiberSet, Layer } from "effect"
import { ACCOUNT } from "#domain/Ids"
import { Overloaded } from "#domain/Overloaded"
import { makeAdmission } from "#platform/Admission"
import { storedResponseLocation } from "#platform/SecretLocation"
import { Secrets } from "#platform/Secrets"
import { constantTimeEqual } from "#platform/Tokens"
import { fairnessKey, Transaction } from "#platform/Transaction"
import { shareOf, WorkerCount } from "#platform/WorkerCount"
import { IdempotentRequestsRepo, type Lease, type RequestKey } from "#store/access/IdempotentRequestsRepo"
import { ApiKeyDigests } from "../tokens/ApiKeyDigests.ts"
import {
  type IdempotencyFailure,
  type IdempotentRequest,
  type IdempotentResponse,
  KeyReused,
  RequestInProgress,
  ResponseUnreadable,
  type StoredResponse
} from "./IdempotentRequest.ts"

/** The result of claiming a request. A stored response means that the request was already carried out. */
type Claim = "claimed" | StoredResponse

/** The digests of a request's key and content. */
interface RequestDigests extends RequestKey {
  readonly path: string
  readonly requestDigest: Uint8Array
}

/**
 * The maximum number of requests carried out concurrently, in all workers together. Each occupies a transaction, so the limit
 * leaves transactions for other changes.
 */
const CONCURRENCY = 4

/** The maximum number of waiting requests, and of repeats waiting for the same original request. */
const QUEUE_LIMIT = 64
const REPEAT_LIMIT = 20

/** The maximum duration of a request that calls external services. Its lease lasts longer. */
const TIMEOUT = Duration.seconds(50)
const LEASE = Duration.seconds(60)

/** The maximum `Retry-After` for a repeat, in seconds. */
const MAX_RETRY_AFTER = 5

/** Carries out each request once, and replays its response to repeats for 24 hours, per API key and path (C12). */
export class IdempotentRequests extends Context.Service<
  IdempotentRequests,
  {
    /**
     * Carries out a request in a transaction. The same transaction stores the encrypted response if `keep` returns true. A
     * repeat waits while the original request is in progress.
     */
    once<E, R>(
      request: IdempotentRequest,
      handle: Effect.Effect<StoredResponse, E, R>,
      keep: (response: StoredResponse) => boolean
    ): Effect.Effect<IdempotentResponse, E | IdempotencyFailure, R>
    /**
     * Carries out a request that calls external services. It takes a lease instead of a transaction, and completes even if the
     * caller disconnects. While it is in progress, repeats are rejected. If the node dies, a repeat can start over once the
     * lease has expired.
     */
    onceWithLease<E, R>(
      request: IdempotentRequest,
      handle: Effect.Effect<StoredResponse, E, R>,
      keep: (response: StoredResponse) => boolean
    ): Effect.Effect<IdempotentResponse, E | IdempotencyFailure, R>
  }
>()("sallyport/core/IdempotentRequests") {
  static readonly layer = Layer.effect(
    IdempotentRequests,
    Effect.gen(function* () {
      const repo = yield* IdempotentRequestsRepo
      const secrets = yield* Secrets
      const digests = yield* ApiKeyDigests
      const transaction = yield* Transaction
      const running = yield* FiberSet.make()
      const workers = yield* WorkerCount
      const changes = makeAdmission({
        name: "idempotent",
        concurrency: shareOf(CONCURRENCY, workers),
        queueLimit: shareOf(QUEUE_LIMIT, workers)
      })
      const repeats = makeAdmission({
        name: "idempotent_repeats",
        concurrency: Number.POSITIVE_INFINITY,
        concurrencyPerKey: 1,
        queueLimit: QUEUE_LIMIT,
        queueLimitPerKey: REPEAT_LIMIT
      })

      // Keyed with a secret, so that nobody can guess keys or submitted passwords from a database dump.
      const digest = (what: string, texts: ReadonlyArray<string>) =>
        digests.digest(ACCOUNT, `${what}\0${JSON.stringify(texts)}`)

      const digestRequest = Effect.fnUntraced(function* ({ callerId, path, key, content }: IdempotentRequest) {
        const keyDigest = yield* digest("idempotency key", [path, key])
        const requestDigest = yield* digest("idempotent request", [key, content])
        return { callerId, path, keyDigest, requestDigest }
      })

      const locationOf = (id: RequestKey) => storedResponseLocation(id.callerId, id.keyDigest)

      /** Claims a request under a lease, or for the current transaction if `lease` is null. */
      const claim = Effect.fnUntraced(function* (
        request: RequestDigests,
        now: DateTime.Utc,
        lease: Lease
      ): Effect.fn.Return<Claim, IdempotencyFailure> {
        yield* repo.deleteExpired(request, now)
        const expiresAt = DateTime.add(now, { hours: 24 })
        if (yield* repo.claim({ ...request, createdAt: now, expiresAt, lease })) return "claimed"
        const found = yield* repo.find(request)
        if (found === undefined) return yield* new RequestInProgress({ retryAfterSeconds: 1 })
        if (!constantTimeEqual(found.requestDigest, request.requestDigest)) return yield* new KeyReused()
        const { response: stored, leasedUntil } = found
        if (stored !== null) {
          const body = yield* secrets.decrypt(locationOf(request), stored.answer)
          return body === null ? yield* new ResponseUnreadable() : { status: stored.status, body }
        }
        const hasEnded = leasedUntil !== null && DateTime.isLessThanOrEqualTo(leasedUntil, now)
        if (lease !== null && hasEnded && (yield* repo.takeOver(request, leasedUntil, lease))) return "claimed"
        const left = leasedUntil === null ? 0 : leasedUntil.epochMilliseconds - now.epochMilliseconds
        const retryAfterSeconds = Math.max(1, Math.min(MAX_RETRY_AFTER, Math.ceil(left / 1000)))
        return yield* new RequestInProgress({ retryAfterSeconds })
      })

      const store = Effect.fnUntraced(function* (
        id: RequestKey,
        lease: Lease,
        response: StoredResponse,
        isKept: boolean
      ) {
        if (!isKept) return yield* repo.release(id, lease)
        yield* repo.store(id, lease, response.status, yield* secrets.encrypt(locationOf(id), response.body))
      })

      const once = Effect.fnUntraced(function* <E, R>(
        request: IdempotentRequest,
        handle: Effect.Effect<StoredResponse, E, R>,
        keep: (response: StoredResponse) => boolean
      ) {
        const requestDigests = yield* digestRequest(request)
        const inTransaction = transaction.run(
          Effect.gen(function* () {
            const claimed = yield* claim(requestDigests, yield* DateTime.now, null)
            if (claimed !== "claimed") return { response: claimed, replayed: true }
            const response = yield* handle
            yield* store(requestDigests, null, response, keep(response))
            return { response, replayed: false }
          })
        )
        const admitted = Effect.contextWith((context: Context.Context<never>) =>
          Effect.result(changes.runOrDie(fairnessKey(context), inTransaction))
        )
        return yield* repeats.run(locationOf(requestDigests).row, admitted).pipe(
          Effect.mapError(({ retryAfterSeconds }) => new RequestInProgress({ retryAfterSeconds })),
          Effect.flatMap(Effect.fromResult)
        )
      })

      const onceWithLease = Effect.fnUntraced(function* <E, R>(
        request: IdempotentRequest,
        handle: Effect.Effect<StoredResponse, E, R>,
        keep: (response: StoredResponse) => boolean
      ) {
        const requestDigests = yield* digestRequest(request)
        const claimWithLease = Effect.gen(function* () {
          const now = yield* DateTime.now
          const lease = DateTime.addDuration(now, LEASE)
          return { claimed: yield* claim(requestDigests, now, lease), lease }
        })
        const execute = Effect.gen(function* () {
          const { claimed, lease } = yield* transaction.run(claimWithLease)
          if (claimed !== "claimed") return { response: claimed, replayed: true }
          const response = yield* handle.pipe(
            // A failed request may start over immediately. An interrupted request may have had effects, so its lease remains.
            Effect.onError((cause) => (Cause.hasInterrupts(cause) ? Effect.void : repo.release(requestDigests, lease))),
            Effect.timeoutOrElse({
              duration: TIMEOUT,
              orElse: () =>
                Effect.die(
                  new Overloaded({
                    retryAfterSeconds: MAX_RETRY_AFTER,
                    reason: `idempotent: not done after ${Duration.toSeconds(TIMEOUT)} seconds`
                  })
                )
            })
          )
          yield* store(requestDigests, lease, response, keep(response))
          return { response, replayed: false }
        })
        // Runs in a separate fiber, so that the response is stored even if the caller disconnects.
        return yield* Fiber.join(yield* FiberSet.run(running, execute))
      })

      return IdempotentRequests.of({ once, onceWithLease })
    })
  )
}

import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { CallerIdentity } from "#domain/Caller"
import { date, dateOrNull, utcOrNull } from "../statements/Rows.ts"

/** The key of an idempotent request. `keyDigest` is the digest of the path and the `Idempotency-Key`. */
export interface RequestKey {
  readonly callerId: CallerIdentity["id"]
  readonly keyDigest: Uint8Array
}

/** A stored request, either in progress or completed. */
export interface IdempotentRequest {
  readonly requestDigest: Uint8Array
  /** Null while the request is in progress. */
  readonly response: { readonly status: number; readonly answer: string } | null
  /** Until when no other caller may start the request. Null if a transaction locks it or if it has completed. */
  readonly leasedUntil: DateTime.Utc | null
}

/** The end of a request's lease, or null if the request runs in a transaction and needs no lease. */
export type Lease = DateTime.Utc | null

/** Stores the responses to requests with an `Idempotency-Key`. */
export class IdempotentRequestsRepo extends Context.Service<
  IdempotentRequestsRepo,
  {
    /**
     * Claims a request, after waiting for any transaction that has already claimed it. Returns false if it is leased or
     * completed.
     */
    claim(
      request: RequestKey & {
        readonly path: string
        readonly requestDigest: Uint8Array
        readonly createdAt: DateTime.Utc
        readonly expiresAt: DateTime.Utc
        readonly lease: Lease
      }
    ): Effect.Effect<boolean>
    find(key: RequestKey): Effect.Effect<IdempotentRequest | undefined>
    /** Takes over a lease that ended at `ended` without a response. Returns false if another caller was faster. */
    takeOver(key: RequestKey, ended: DateTime.Utc, lease: DateTime.Utc): Effect.Effect<boolean>
    /** Stores the response of the request that has this lease. */
    store(key: RequestKey, lease: Lease, status: number, answer: string): Effect.Effect<void>
    /** Releases the claim of the request that has this lease, so that it can be repeated. */
    release(key: RequestKey, lease: Lease): Effect.Effect<void>
    /** Deletes this request if it has expired, along with some other expired requests. */
    deleteExpired(key: RequestKey, now: DateTime.Utc): Effect.Effect<void>
  }
>()("sallyport/store/IdempotentRequestsRepo") {
  static readonly layer = Layer.effect(
    IdempotentRequestsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const matchesKey = (key: RequestKey) => sql`api_key_id = ${key.callerId} and key_digest = ${key.keyDigest}`

      const matchesLease = (key: RequestKey, lease: Lease) =>
        sql`${matchesKey(key)} and answer is null and leased_until is not distinct from ${dateOrNull(lease)}::timestamptz`

      return IdempotentRequestsRepo.of({
        claim: (request) =>
          sql`insert into idempotent_requests (api_key_id, key_digest, path, request_digest, created_at, expires_at,
              leased_until)
            values (${request.callerId}, ${request.keyDigest}, ${request.path}, ${request.requestDigest},
              ${date(request.createdAt)}, ${date(request.expiresAt)}, ${dateOrNull(request.lease)})
            on conflict do nothing returning 1 as claimed`.pipe(
            Effect.map((rows) => rows.length > 0),
            Effect.orDie
          ),
        find: (key) =>
          sql<{
            readonly request_digest: Uint8Array
            readonly status: number | null
            readonly answer: string | null
            readonly leased_until: Date | null
          }>`select request_digest, status, answer, leased_until from idempotent_requests where ${matchesKey(key)}`.pipe(
            Effect.map(([row]) => {
              if (row === undefined) return undefined
              const { status, answer } = row
              return {
                requestDigest: row.request_digest,
                response: status === null || answer === null ? null : { status, answer },
                leasedUntil: utcOrNull(row.leased_until)
              }
            }),
            Effect.orDie
          ),
        takeOver: (key, ended, lease) =>
          sql`update idempotent_requests set leased_until = ${date(lease)}
            where ${matchesKey(key)} and answer is null and leased_until = ${date(ended)} returning 1 as taken`.pipe(
            Effect.map((rows) => rows.length > 0),
            Effect.orDie
          ),
        store: (key, lease, status, answer) =>
          sql`update idempotent_requests set status = ${status}, answer = ${answer}, leased_until = null
            where ${matchesLease(key, lease)}`.pipe(Effect.asVoid, Effect.orDie),
        release: (key, lease) =>
          sql`delete from idempotent_requests where ${matchesLease(key, lease)}`.pipe(Effect.asVoid, Effect.orDie),
        deleteExpired: (key, now) =>
          sql`delete from idempotent_requests where ${matchesKey(key)} and expires_at <= ${date(now)}`.pipe(
            Effect.andThen(sql`delete from idempotent_requests where (api_key_id, key_digest) in (
              select api_key_id, key_digest from idempotent_requests where expires_at <= ${date(now)}
              order by expires_at limit 20 for update skip locked)`),
            Effect.asVoid,
            Effect.orDie
          )
      })
    })
  )
}

import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { ApiKeyId } from "#domain/Ids"
import { date, dateOrNull, utcOrNull } from "./Rows.ts"

/** Which request: whose key, and the digest of path and Idempotency-Key. */
export interface RequestKey {
  readonly apiKeyId: ApiKeyId
  readonly keyDigest: Uint8Array
}

/** A request that is at work, or has been answered. */
export interface FoundRequest {
  readonly requestDigest: Uint8Array
  /** Null while it is at work. */
  readonly given: { readonly status: number; readonly answer: string } | null
  /** Until when nobody else may begin it; null where a transaction holds it, or it was answered. */
  readonly leasedUntil: DateTime.Utc | null
}

/** The lease under which a request is at work outside of any transaction; null for one inside. */
export type Lease = DateTime.Utc | null

/** The rows of answers that can be given again. */
export class IdempotentRequestsRepo extends Context.Service<
  IdempotentRequestsRepo,
  {
    /** Claims a request, waiting for another transaction that has it; false when it is leased or was answered already. */
    claim(
      request: RequestKey & {
        readonly path: string
        readonly requestDigest: Uint8Array
        readonly createdAt: DateTime.Utc
        readonly expiresAt: DateTime.Utc
        readonly lease: Lease
      }
    ): Effect.Effect<boolean>
    find(key: RequestKey): Effect.Effect<FoundRequest | undefined>
    /** Leases anew a request whose lease has ended without an answer; false when another was faster. */
    takeOver(key: RequestKey, ended: DateTime.Utc, lease: DateTime.Utc): Effect.Effect<boolean>
    /** Stores the answer of the one that has this lease. */
    store(key: RequestKey, lease: Lease, status: number, answer: string): Effect.Effect<void>
    /** Gives back what was claimed under this lease: a repeat begins anew. */
    release(key: RequestKey, lease: Lease): Effect.Effect<void>
    /** Deletes this request when it has expired, and some others that have. */
    deleteExpired(key: RequestKey, now: DateTime.Utc): Effect.Effect<void>
  }
>()("sallyport/store/IdempotentRequestsRepo") {
  static readonly layer = Layer.effect(
    IdempotentRequestsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const its = (key: RequestKey) => sql`api_key_id = ${key.apiKeyId} and key_digest = ${key.keyDigest}`

      const under = (key: RequestKey, lease: Lease) =>
        sql`${its(key)} and answer is null and leased_until is not distinct from ${dateOrNull(lease)}::timestamptz`

      return IdempotentRequestsRepo.of({
        claim: (request) =>
          sql`insert into idempotent_requests (api_key_id, key_digest, path, request_digest, created_at, expires_at,
              leased_until)
            values (${request.apiKeyId}, ${request.keyDigest}, ${request.path}, ${request.requestDigest},
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
          }>`select request_digest, status, answer, leased_until from idempotent_requests where ${its(key)}`.pipe(
            Effect.map(([row]) => {
              if (row === undefined) return undefined
              const { status, answer } = row
              return {
                requestDigest: row.request_digest,
                given: status === null || answer === null ? null : { status, answer },
                leasedUntil: utcOrNull(row.leased_until)
              }
            }),
            Effect.orDie
          ),
        takeOver: (key, ended, lease) =>
          sql`update idempotent_requests set leased_until = ${date(lease)}
            where ${its(key)} and answer is null and leased_until = ${date(ended)} returning 1 as taken`.pipe(
            Effect.map((rows) => rows.length > 0),
            Effect.orDie
          ),
        store: (key, lease, status, answer) =>
          sql`update idempotent_requests set status = ${status}, answer = ${answer}, leased_until = null
            where ${under(key, lease)}`.pipe(Effect.asVoid, Effect.orDie),
        release: (key, lease) =>
          sql`delete from idempotent_requests where ${under(key, lease)}`.pipe(Effect.asVoid, Effect.orDie),
        deleteExpired: (key, now) =>
          sql`delete from idempotent_requests where ${its(key)} and expires_at <= ${date(now)}`.pipe(
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

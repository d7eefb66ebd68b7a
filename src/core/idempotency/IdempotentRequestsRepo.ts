import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { ApiKeyId } from "#domain/Ids"
import { date } from "../Rows.ts"

/** Which request: whose key, and the digest of path and Idempotency-Key; also as a release before this one made it. */
export interface RequestKey {
  readonly apiKeyId: ApiKeyId
  readonly keyDigest: Uint8Array
  readonly formerDigest: Uint8Array
}

/** What is kept of a request that was carried out. */
export interface StoredRequest {
  readonly keyDigest: Uint8Array
  readonly requestDigest: Uint8Array
  readonly status: number
  readonly answer: string
}

/** The rows of answers that can be given again. */
export class IdempotentRequestsRepo extends Context.Service<
  IdempotentRequestsRepo,
  {
    /** Claims a request for this transaction, waiting for another that has it; false when it was answered already. */
    claim(
      request: RequestKey & {
        readonly path: string
        readonly requestDigest: Uint8Array
        readonly createdAt: DateTime.Utc
        readonly expiresAt: DateTime.Utc
      }
    ): Effect.Effect<boolean>
    find(key: RequestKey): Effect.Effect<StoredRequest | undefined>
    store(key: RequestKey, status: number, answer: string): Effect.Effect<void>
    delete(key: RequestKey): Effect.Effect<void>
    /** Deletes this request when it has expired, and some others that have. */
    deleteExpired(key: RequestKey, now: DateTime.Utc): Effect.Effect<void>
  }
>()("sallyport/core/IdempotentRequestsRepo") {
  static readonly layer = Layer.effect(
    IdempotentRequestsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const its = (key: RequestKey) => sql`api_key_id = ${key.apiKeyId} and key_digest = ${key.keyDigest}`

      return IdempotentRequestsRepo.of({
        claim: (request) =>
          sql`insert into idempotent_requests (api_key_id, key_digest, path, request_digest, created_at, expires_at)
            select ${request.apiKeyId}, ${request.keyDigest}, ${request.path}, ${request.requestDigest},
              ${date(request.createdAt)}::timestamptz, ${date(request.expiresAt)}::timestamptz
            where not exists (select from idempotent_requests where api_key_id = ${request.apiKeyId}
              and key_digest = ${request.formerDigest} and expires_at > ${date(request.createdAt)})
            on conflict do nothing returning 1 as claimed`.pipe(
            Effect.map((rows) => rows.length > 0),
            Effect.orDie
          ),
        find: ({ apiKeyId, keyDigest, formerDigest }) =>
          sql<{
            readonly key_digest: Uint8Array
            readonly request_digest: Uint8Array
            readonly status: number
            readonly answer: string
          }>`select key_digest, request_digest, status, answer from idempotent_requests
            where api_key_id = ${apiKeyId} and key_digest in (${keyDigest}, ${formerDigest}) limit 1`.pipe(
            Effect.map(([row]) =>
              row === undefined
                ? undefined
                : {
                    keyDigest: row.key_digest,
                    requestDigest: row.request_digest,
                    status: row.status,
                    answer: row.answer
                  }
            ),
            Effect.orDie
          ),
        store: (key, status, answer) =>
          sql`update idempotent_requests set status = ${status}, answer = ${answer} where ${its(key)}`.pipe(
            Effect.asVoid,
            Effect.orDie
          ),
        delete: (key) => sql`delete from idempotent_requests where ${its(key)}`.pipe(Effect.asVoid, Effect.orDie),
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

import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { AppId, RealmId } from "#domain/Ids"
import type { SentParams } from "#domain/oauth/AuthorizationParams"
import { date, utc } from "../statements/Rows.ts"

/** A stored authorization request. `id` is the digest of the secret that a browser or client uses to refer to it. */
export interface StoredAuthorizationRequest {
  readonly id: string
  readonly realmId: RealmId
  readonly clientId: AppId
  /** Whether the client pushed the request and no browser has opened it yet. */
  readonly isPushed: boolean
  /** For a browser's request, the pushed request it was created from. */
  readonly pushedId: string | null
  readonly sent: SentParams
  readonly createdAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
}

interface Row {
  readonly client_id: AppId
  readonly params: string
  readonly created_at: Date
  readonly is_over: boolean
}

/** A stored request that was found. `isOver` is whether it has expired or its login has ended. */
export interface FoundAuthorizationRequest extends Pick<StoredAuthorizationRequest, "clientId" | "sent" | "createdAt"> {
  readonly isOver: boolean
}

const isTexts = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((one) => typeof one === "string")

const sentOf = (params: string): SentParams => {
  const stored: unknown = JSON.parse(params)
  return Object.fromEntries(Object.entries(stored ?? {}).filter(([, values]) => isTexts(values)))
}

const first = Effect.map(([row]: ReadonlyArray<Row>): FoundAuthorizationRequest | undefined =>
  row === undefined
    ? undefined
    : { clientId: row.client_id, sent: sentOf(row.params), createdAt: utc(row.created_at), isOver: row.is_over }
)

/** Stores authorization requests in progress (RFC 6749 §4.1.1, RFC 9126). A row is deleted together with its client. */
export class OAuthRequestsRepo extends Context.Service<
  OAuthRequestsRepo,
  {
    /** Inserts a request unless its client has been deleted. */
    insert(request: StoredAuthorizationRequest): Effect.Effect<void>
    /** Finds a browser's request, even if it ended up to a day ago. */
    find(realmId: RealmId, id: string, now: DateTime.Utc): Effect.Effect<FoundAuthorizationRequest | undefined>
    /** Finds an unexpired pushed request and extends it to at least the given time. */
    openPushed(
      pushed: Pick<StoredAuthorizationRequest, "realmId" | "clientId" | "id">,
      now: DateTime.Utc,
      until: DateTime.Utc
    ): Effect.Effect<FoundAuthorizationRequest | undefined>
    /** Extends a browser's unexpired request to at least the given time, together with the pushed request it was created from. */
    extend(realmId: RealmId, id: string, now: DateTime.Utc, until: DateTime.Utc): Effect.Effect<void>
    /**
     * Ends a browser's unexpired request inside a transaction. Returns true for only one caller, even if several browsers
     * have opened the same pushed request.
     */
    consume(realmId: RealmId, id: string, now: DateTime.Utc): Effect.Effect<boolean>
  }
>()("sallyport/store/OAuthRequestsRepo") {
  static readonly layer = Layer.effect(
    OAuthRequestsRepo,
    Effect.map(SqlClient, (sql) =>
      OAuthRequestsRepo.of({
        insert: (request) =>
          sql`insert into oauth_requests (realm_id, id, client_id, pushed, pushed_id, params, created_at, expires_at)
            select realm_id, ${request.id}, id, ${request.isPushed}, ${request.pushedId}, ${JSON.stringify(request.sent)},
              ${date(request.createdAt)}, ${date(request.expiresAt)}
            from oauth_clients where realm_id = ${request.realmId} and id = ${request.clientId} for key share`.pipe(
            Effect.asVoid,
            Effect.orDie
          ),
        find: (realmId, id, now) =>
          sql<Row>`select r.client_id, r.params, r.created_at,
              least(r.expires_at, p.expires_at) <= ${date(now)} as is_over
            from oauth_requests r left join oauth_requests p on p.realm_id = r.realm_id and p.id = r.pushed_id
            where r.realm_id = ${realmId} and r.id = ${id} and not r.pushed`.pipe(first, Effect.orDie),
        openPushed: ({ realmId, clientId, id }, now, until) =>
          sql<Row>`update oauth_requests set expires_at = greatest(expires_at, ${date(until)}::timestamptz)
            where realm_id = ${realmId} and id = ${id} and client_id = ${clientId} and pushed and expires_at > ${date(now)}
            returning client_id, params, created_at, false as is_over`.pipe(first, Effect.orDie),
        extend: (realmId, id, now, until) =>
          Effect.andThen(
            sql`update oauth_requests p set expires_at = greatest(p.expires_at, ${date(until)}::timestamptz)
              from oauth_requests r where r.realm_id = ${realmId} and r.id = ${id} and r.expires_at > ${date(now)}
                and p.realm_id = ${realmId} and p.id = r.pushed_id and p.expires_at > ${date(now)}`,
            sql`update oauth_requests set expires_at = greatest(expires_at, ${date(until)}::timestamptz)
              where realm_id = ${realmId} and id = ${id} and not pushed and expires_at > ${date(now)}`
          ).pipe(Effect.asVoid, Effect.orDie),
        // Updates the pushed request first, so that browsers that opened the same one can't deadlock.
        consume: (realmId, id, now) =>
          Effect.gen(function* () {
            const [found] = yield* sql<{ readonly pushed_id: string | null }>`select pushed_id from oauth_requests
              where realm_id = ${realmId} and id = ${id} and not pushed and expires_at > ${date(now)}`
            if (found === undefined) return false
            for (const each of found.pushed_id === null ? [id] : [found.pushed_id, id]) {
              const ended = yield* sql`update oauth_requests set expires_at = ${date(now)}
                where realm_id = ${realmId} and id = ${each} and expires_at > ${date(now)} returning id`
              if (ended.length === 0) return false
            }
            return true
          }).pipe(Effect.orDie)
      })
    )
  )
}

import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SentParams } from "#domain/AuthorizationParams"
import type { LoginPolicyId, RealmId } from "#domain/Ids"
import { date, utc } from "./Rows.ts"

/** A stored authorization request. `id`: the digest of the secret by which a browser or a client refers to it. */
export interface StoredAuthorizationRequest {
  readonly id: string
  readonly realmId: RealmId
  readonly clientId: LoginPolicyId
  /** Whether the client has pushed the request, and no browser has brought it yet. */
  readonly isPushed: boolean
  readonly sent: SentParams
  readonly createdAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
}

interface Row {
  readonly client_id: LoginPolicyId
  readonly params: string
  readonly created_at: Date
}

/** What is found of a stored request. */
export type FoundAuthorizationRequest = Pick<StoredAuthorizationRequest, "clientId" | "sent" | "createdAt">

const isTexts = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((one) => typeof one === "string")

const sentOf = (params: string): SentParams => {
  const stored: unknown = JSON.parse(params)
  return Object.fromEntries(Object.entries(stored ?? {}).filter(([, values]) => isTexts(values)))
}

const first = Effect.map(([row]: ReadonlyArray<Row>): FoundAuthorizationRequest | undefined =>
  row === undefined ? undefined : { clientId: row.client_id, sent: sentOf(row.params), createdAt: utc(row.created_at) }
)

/** Stores authorization requests that are under way (RFC 6749 §4.1.1, RFC 9126). A row is deleted together with its client. */
export class OAuthRequestsRepo extends Context.Service<
  OAuthRequestsRepo,
  {
    /** Inserts a request, unless its client has been deleted. */
    insert(request: StoredAuthorizationRequest): Effect.Effect<void>
    /** An unexpired request that a browser has brought. */
    find(realmId: RealmId, id: string, now: DateTime.Utc): Effect.Effect<FoundAuthorizationRequest | undefined>
    /** Takes an unexpired request that a client has pushed out of the store. One caller only gets it. */
    takePushed(
      realmId: RealmId,
      clientId: LoginPolicyId,
      id: string,
      now: DateTime.Utc
    ): Effect.Effect<FoundAuthorizationRequest | undefined>
    /** Deletes an unexpired request that a browser has brought. True for one caller only. */
    consume(realmId: RealmId, id: string, now: DateTime.Utc): Effect.Effect<boolean>
  }
>()("sallyport/store/OAuthRequestsRepo") {
  static readonly layer = Layer.effect(
    OAuthRequestsRepo,
    Effect.map(SqlClient, (sql) =>
      OAuthRequestsRepo.of({
        insert: (request) =>
          sql`insert into oauth_requests (realm_id, id, client_id, pushed, params, created_at, expires_at)
            select realm_id, ${request.id}, id, ${request.isPushed}, ${JSON.stringify(request.sent)},
              ${date(request.createdAt)}, ${date(request.expiresAt)}
            from oauth_clients where realm_id = ${request.realmId} and id = ${request.clientId} for key share`.pipe(
            Effect.asVoid,
            Effect.orDie
          ),
        find: (realmId, id, now) =>
          sql<Row>`select client_id, params, created_at from oauth_requests
            where realm_id = ${realmId} and id = ${id} and not pushed and expires_at > ${date(now)}`.pipe(
            first,
            Effect.orDie
          ),
        takePushed: (realmId, clientId, id, now) =>
          sql<Row>`delete from oauth_requests where realm_id = ${realmId} and id = ${id} and client_id = ${clientId}
            and pushed and expires_at > ${date(now)} returning client_id, params, created_at`.pipe(first, Effect.orDie),
        consume: (realmId, id, now) =>
          sql`delete from oauth_requests where realm_id = ${realmId} and id = ${id} and not pushed
            and expires_at > ${date(now)} returning id`.pipe(
            Effect.map((rows) => rows.length > 0),
            Effect.orDie
          )
      })
    )
  )
}

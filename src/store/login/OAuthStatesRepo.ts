import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type ReturnPage, returnPageOf } from "#domain/HostedPaths"
import type { AppId, AuthProviderId, RealmId } from "#domain/Ids"
import { date } from "../statements/Rows.ts"

/** A stored OAuth state. `id` is the state's digest. */
export interface OAuthState {
  readonly id: string
  readonly realmId: RealmId
  readonly authProviderId: AuthProviderId
  readonly redirectUri: string
  /** The digest of the nonce stored in the caller's session. */
  readonly nonceDigest: string | null
  /** The app on whose host the login was started, or null if a backend started it. */
  readonly appId: AppId | null
  readonly returnTo: string | null
  /** The hosted page to return to instead of the app. */
  readonly ownPage: ReturnPage | null
  /** The encrypted data that the login needs later, such as the verifier and the nonce. */
  readonly secret: string
  readonly createdAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
}

interface Row {
  readonly auth_provider_id: AuthProviderId
  readonly redirect_uri: string
  readonly nonce_digest: string | null
  readonly client_app_id: AppId | null
  readonly return_to: string | null
  readonly own_page: string | null
  readonly secret: string
}

/** The columns of `Row`. */
const columns = "auth_provider_id, redirect_uri, nonce_digest, client_app_id, return_to, own_page, secret"

/** Stores the OAuth states of logins through external providers. */
export class OAuthStatesRepo extends Context.Service<
  OAuthStatesRepo,
  {
    /** Inserts a state unless its provider has been deleted. */
    insert(state: OAuthState): Effect.Effect<void>
    /** Finds an unexpired state. */
    find(
      realmId: RealmId,
      id: string,
      now: DateTime.Utc
    ): Effect.Effect<Omit<OAuthState, "createdAt" | "expiresAt"> | undefined>
    /** Replaces the encrypted data of a state. */
    updateSecret(realmId: RealmId, id: string, secret: string): Effect.Effect<void>
    /** Consumes an unexpired state. Returns true for only one caller. */
    consume(realmId: RealmId, id: string, now: DateTime.Utc): Effect.Effect<boolean>
  }
>()("sallyport/store/OAuthStatesRepo") {
  static readonly layer = Layer.effect(
    OAuthStatesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      return OAuthStatesRepo.of({
        insert: (state) =>
          sql`insert into oauth_states (realm_id, id, ${sql.literal(columns)}, created_at, expires_at)
            select realm_id, ${state.id}, id, ${state.redirectUri}, ${state.nonceDigest}, ${state.appId},
              ${state.returnTo}, ${state.ownPage}, ${state.secret}, ${date(state.createdAt)}, ${date(state.expiresAt)}
            from auth_providers where realm_id = ${state.realmId} and id = ${state.authProviderId} for key share`.pipe(
            Effect.asVoid,
            Effect.orDie
          ),
        find: (realmId, id, now) =>
          sql<Row>`select ${sql.literal(columns)} from oauth_states where realm_id = ${realmId} and id = ${id} and expires_at > ${date(now)}`.pipe(
            Effect.map(([row]) =>
              row === undefined
                ? undefined
                : {
                    id,
                    realmId,
                    authProviderId: row.auth_provider_id,
                    redirectUri: row.redirect_uri,
                    nonceDigest: row.nonce_digest,
                    appId: row.client_app_id,
                    returnTo: row.return_to,
                    ownPage: returnPageOf(row.own_page ?? ""),
                    secret: row.secret
                  }
            ),
            Effect.orDie
          ),
        updateSecret: (realmId, id, secret) =>
          sql`update oauth_states set secret = ${secret} where realm_id = ${realmId} and id = ${id}`.pipe(
            Effect.asVoid,
            Effect.orDie
          ),
        consume: (realmId, id, now) =>
          sql`delete from oauth_states where realm_id = ${realmId} and id = ${id} and expires_at > ${date(now)}
            returning id`.pipe(
            Effect.map((rows) => rows.length > 0),
            Effect.orDie
          )
      })
    })
  )
}

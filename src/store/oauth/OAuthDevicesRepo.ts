import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Authentication } from "#domain/Authentication"
import type { AppId, RealmId, UserId } from "#domain/Ids"
import type { DeviceAuthorization, DeviceBrowser, DeviceState } from "#domain/oauth/DeviceCode"
import { date, dateOrNull, utc, utcOrNull } from "../statements/Rows.ts"
import { type Guard, noConflict, type Write } from "../statements/Writes.ts"
import { type AuthenticationColumns, authenticationFromRow } from "../users/AuthenticationColumns.ts"

interface Row extends AuthenticationColumns {
  readonly id: string
  readonly realm_id: RealmId
  readonly client_id: AppId
  readonly app_id: AppId
  readonly user_code: string
  readonly scopes: ReadonlyArray<string>
  readonly resources: ReadonlyArray<string>
  readonly request_ip: string | null
  readonly request_client: string | null
  readonly state: DeviceState
  readonly user_id: UserId | null
  readonly poll_seconds: number
  readonly polled_at: Date | null
  readonly created_at: Date
  readonly expires_at: Date
}

/** The columns of `Row`, for a table named `d`. */
const columns = `d.id, d.realm_id, d.client_id, d.app_id, d.user_code, d.scopes, d.resources, d.request_ip, d.request_client, d.state,
  d.user_id, d.auth_methods, d.authenticated_at, d.poll_seconds, d.polled_at, d.created_at, d.expires_at`

const fromRow = (row: Row): DeviceAuthorization => ({
  id: row.id,
  realmId: row.realm_id,
  clientId: row.client_id,
  appId: row.app_id,
  userCode: row.user_code,
  scopes: row.scopes,
  resources: row.resources,
  requestIp: row.request_ip,
  requestClient: row.request_client,
  state: row.state,
  userId: row.user_id,
  authentication: authenticationFromRow(row),
  pollSeconds: row.poll_seconds,
  polledAt: utcOrNull(row.polled_at),
  createdAt: utc(row.created_at),
  expiresAt: utc(row.expires_at)
})

/** A user code entered on an app's page. */
export interface EnteredCode extends DeviceBrowser {
  readonly realmId: RealmId
  readonly appId: AppId
  readonly userCode: string
}

/** A row to find and lock, and the write to make if it exists. */
export interface DeviceChange {
  readonly guard: Guard<Row, DeviceAuthorization>
  readonly write: Write
}

/** Stores the devices that wait for a user to log in on another device (RFC 8628). */
export class OAuthDevicesRepo extends Context.Service<
  OAuthDevicesRepo,
  {
    /** Inserts a device. Returns false if its user code is taken or if its client or app no longer exists. */
    insert(device: DeviceAuthorization): Effect.Effect<boolean>
    /** Finds a client's device by its device code. It may have expired. */
    find(realmId: RealmId, clientId: AppId, id: string): Effect.Effect<DeviceAuthorization | undefined>
    /** Records that the device has polled, and how long it must wait before the next poll. */
    recordPoll(realmId: RealmId, id: string, pollSeconds: number, now: DateTime.Utc): Effect.Effect<void>
    /**
     * Assigns a waiting device to the browser in which its code was entered. Returns undefined if another user has already
     * entered the code (SEC-171).
     */
    claim(code: EnteredCode, now: DateTime.Utc): Effect.Effect<DeviceAuthorization | undefined>
    /** Finds the device waiting for a decision in the browser that last entered its code. */
    findEntered(code: EnteredCode, now: DateTime.Utc): Effect.Effect<DeviceAuthorization | undefined>
    /** A change that stores the decision made in the browser that last entered the code. */
    decision(
      code: EnteredCode,
      state: "approved" | "denied",
      authentication: Authentication | null,
      now: DateTime.Utc
    ): DeviceChange
    /** A change that ends an approved device, so that its tokens are issued only once. The user must still be active. */
    redemption(device: Pick<DeviceAuthorization, "realmId" | "id">, now: DateTime.Utc): DeviceChange
    /** Deletes a client's devices that a user has approved or is about to approve. */
    deleteOfClient(realmId: RealmId, userId: UserId, clientId: AppId): Effect.Effect<void>
  }
>()("sallyport/store/OAuthDevicesRepo") {
  static readonly layer = Layer.effect(
    OAuthDevicesRepo,
    Effect.map(SqlClient, (sql) => {
      const found = sql.literal(columns)

      /** A write that updates the row locked by the guard. */
      const updating = (statement: Write["statement"]): Write => ({
        realmLock: "key share",
        statement,
        conflictIn: noConflict
      })

      /** Selects the device waiting for a decision in a browser. */
      const entered = ({ realmId, appId, userCode, userId, browserId }: EnteredCode, now: DateTime.Utc) =>
        sql`select ${found} from oauth_devices d
          where d.realm_id = ${realmId} and d.user_code = ${userCode} and d.app_id = ${appId} and d.state = 'pending'
            and d.expires_at > ${date(now)} and d.user_id = ${userId} and d.browser_id = ${browserId}
            and exists (select from browser_sessions b where b.realm_id = d.realm_id and b.id = d.browser_id)`

      return OAuthDevicesRepo.of({
        insert: (device) =>
          sql`insert into oauth_devices (realm_id, id, client_id, app_id, user_code, scopes, resources, request_ip,
              request_client, state, poll_seconds, created_at, expires_at)
            select c.realm_id, ${device.id}, c.id, a.id, ${device.userCode}, ${device.scopes}::text[],
              ${device.resources}::text[], ${device.requestIp}, ${device.requestClient}, ${device.state},
              ${device.pollSeconds}::integer, ${date(device.createdAt)}, ${date(device.expiresAt)}
            from oauth_clients c join login_policies a on a.realm_id = c.realm_id and a.id = ${device.appId}
            where c.realm_id = ${device.realmId} and c.id = ${device.clientId}
            for key share on conflict (realm_id, user_code) do nothing returning 1 as one`.pipe(
            Effect.map((rows) => rows.length > 0),
            Effect.orDie
          ),
        find: (realmId, clientId, id) =>
          sql<Row>`select ${found} from oauth_devices d
            where d.realm_id = ${realmId} and d.id = ${id} and d.client_id = ${clientId}`.pipe(
            Effect.map(([row]) => (row === undefined ? undefined : fromRow(row))),
            Effect.orDie
          ),
        recordPoll: (realmId, id, pollSeconds, now) =>
          sql`update oauth_devices set polled_at = ${date(now)}, poll_seconds = ${pollSeconds}
            where realm_id = ${realmId} and id = ${id} and state = 'pending'`.pipe(Effect.asVoid, Effect.orDie),
        claim: ({ realmId, appId, userCode, userId, browserId }, now) =>
          sql<Row>`update oauth_devices d set user_id = ${userId}, browser_id = ${browserId}
            where d.realm_id = ${realmId} and d.user_code = ${userCode} and d.app_id = ${appId} and d.state = 'pending'
              and d.expires_at > ${date(now)} and (d.user_id is null or d.user_id = ${userId}) returning ${found}`.pipe(
            Effect.map(([row]) => (row === undefined ? undefined : fromRow(row))),
            Effect.orDie
          ),
        findEntered: (code, now) =>
          sql<Row>`${entered(code, now)}`.pipe(
            Effect.map(([row]) => (row === undefined ? undefined : fromRow(row))),
            Effect.orDie
          ),
        deleteOfClient: (realmId, userId, clientId) =>
          sql`delete from oauth_devices
            where realm_id = ${realmId} and user_id = ${userId} and client_id = ${clientId}`.pipe(
            Effect.asVoid,
            Effect.orDie
          ),
        decision: (code, state, authentication, now) => ({
          guard: { select: sql<Row>`${entered(code, now)} for update`, fromRow },
          write: updating(
            (before) => sql`update oauth_devices d set state = ${state},
              auth_methods = ${authentication?.methods ?? []}::text[],
              authenticated_at = ${dateOrNull(authentication?.at ?? null)}::timestamptz from ${before}
              where d.realm_id = before.realm_id and d.user_code = ${code.userCode}`
          )
        }),
        redemption: ({ realmId, id }, now) => ({
          guard: {
            // Locks the user first. So do all operations that revoke a user's approvals, which can then delete the device
            // (SEC-188).
            select: sql<Row>`select ${found} from oauth_devices d
              join users u on u.realm_id = d.realm_id and u.id = d.user_id and u.state = 'active'
              where d.realm_id = ${realmId} and d.id = ${id} and d.state = 'approved' and d.expires_at > ${date(now)}
              for share of u for update of d`,
            fromRow
          },
          write: updating(
            (before) => sql`update oauth_devices d set state = 'redeemed' from ${before}
              where d.realm_id = before.realm_id and d.id = ${id}`
          )
        })
      })
    })
  )
}

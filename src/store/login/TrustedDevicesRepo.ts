import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { RealmId, UserId } from "#domain/Ids"
import type { TrustedDevice } from "#domain/TrustedDevice"
import { date, utc } from "../statements/Rows.ts"

/** The times that a valid trust lies between: it began after `since` and ends after `now`. */
export interface TrustPeriod {
  readonly since: DateTime.Utc
  readonly now: DateTime.Utc
}

/** The maximum number of trusted devices per user. The oldest ones beyond it are deleted. */
const MAX_DEVICES = 20

interface Row {
  readonly realm_id: RealmId
  readonly id: string
  readonly user_id: UserId
  readonly request_ip: string | null
  readonly request_client: string | null
  readonly created_at: Date
  readonly expires_at: Date
}

const fromRow = (row: Row): TrustedDevice => ({
  realmId: row.realm_id,
  id: row.id,
  userId: row.user_id,
  requestIp: row.request_ip,
  requestClient: row.request_client,
  createdAt: utc(row.created_at),
  expiresAt: utc(row.expires_at)
})

/** Stores the devices that users have trusted (C310). A row is deleted together with its user. */
export class TrustedDevicesRepo extends Context.Service<
  TrustedDevicesRepo,
  {
    /** Finds those of these devices that are trusted in the realm. */
    find(
      realmId: RealmId,
      ids: ReadonlyArray<string>,
      period: TrustPeriod
    ): Effect.Effect<ReadonlyArray<{ readonly id: string; readonly userId: UserId }>>
    /**
     * Replaces devices of the user with a new one. Call it inside the transaction that locks the user's row. Returns false,
     * and changes nothing, if the realm has turned trusted devices off in the meantime.
     */
    replace(before: ReadonlyArray<string>, device: TrustedDevice): Effect.Effect<boolean>
    /** A user's trusted devices, newest first. */
    ofUser(realmId: RealmId, userId: UserId, period: TrustPeriod): Effect.Effect<ReadonlyArray<TrustedDevice>>
    /** Deletes a device of a user. Returns false if the user has no such device. */
    delete(realmId: RealmId, userId: UserId, id: string): Effect.Effect<boolean>
    /** Deletes all devices of a user. Returns false if there are none. */
    deleteOfUser(realmId: RealmId, userId: UserId): Effect.Effect<boolean>
    /** Deletes all devices of a realm. Call it inside the transaction that locks the realm's row. */
    deleteOfRealm(realmId: RealmId): Effect.Effect<void>
  }
>()("sallyport/store/TrustedDevicesRepo") {
  static readonly layer = Layer.effect(
    TrustedDevicesRepo,
    Effect.map(SqlClient, (sql) => {
      const isTrusted = ({ since, now }: TrustPeriod) => sql`expires_at > ${date(now)} and created_at > ${date(since)}`

      // Locks the realm first, so that turning trusted devices off deletes this device, too, or prevents it.
      const insert = ({ realmId, id, userId, requestIp, requestClient, createdAt, expiresAt }: TrustedDevice) =>
        sql`insert into trusted_devices (realm_id, id, user_id, request_ip, request_client, created_at, expires_at)
          select r.id, ${id}, ${userId}, ${requestIp}::text, ${requestClient}::text, ${date(createdAt)}::timestamptz,
            ${date(expiresAt)}::timestamptz
          from realms r where r.id = ${realmId} and r.trusted_devices_days is not null for share of r
          returning id`

      const deleteBeyond = ({ realmId, userId }: TrustedDevice, before: ReadonlyArray<string>) =>
        sql`delete from trusted_devices where realm_id = ${realmId} and user_id = ${userId}
          and (id = any(${before}::text[]) or id in (
            select k.id from trusted_devices k
            where k.realm_id = ${realmId} and k.user_id = ${userId} and k.id <> all(${before}::text[])
            order by k.created_at desc, k.id offset ${MAX_DEVICES}))`

      return TrustedDevicesRepo.of({
        find: (realmId, ids, period) =>
          ids.length === 0
            ? Effect.succeed([])
            : sql<{ readonly id: string; readonly user_id: UserId }>`select id, user_id from trusted_devices
                where realm_id = ${realmId} and ${isTrusted(period)} and id = any(${ids}::text[])`.pipe(
                Effect.map((rows) => rows.map(({ id, user_id }) => ({ id, userId: user_id }))),
                Effect.orDie
              ),
        replace: Effect.fnUntraced(function* (before, device) {
          const inserted = yield* insert(device)
          if (inserted.length === 0) return false
          yield* deleteBeyond(device, before)
          return true
        }, Effect.orDie),
        ofUser: (realmId, userId, period) =>
          sql<Row>`select realm_id, id, user_id, request_ip, request_client, created_at, expires_at from trusted_devices
            where realm_id = ${realmId} and ${isTrusted(period)} and user_id = ${userId} order by created_at desc, id
            limit ${MAX_DEVICES}`.pipe(
            Effect.map((rows) => rows.map(fromRow)),
            Effect.orDie
          ),
        delete: (realmId, userId, id) =>
          sql`delete from trusted_devices
            where realm_id = ${realmId} and user_id = ${userId} and id = ${id} returning 1`.pipe(
            Effect.map((rows) => rows.length > 0),
            Effect.orDie
          ),
        deleteOfUser: (realmId, userId) =>
          sql`delete from trusted_devices where realm_id = ${realmId} and user_id = ${userId} returning 1`.pipe(
            Effect.map((rows) => rows.length > 0),
            Effect.orDie
          ),
        deleteOfRealm: (realmId) =>
          sql`delete from trusted_devices where realm_id = ${realmId}`.pipe(Effect.asVoid, Effect.orDie)
      })
    })
  )
}

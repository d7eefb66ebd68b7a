import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { CredentialId, RealmId, UserId } from "#domain/Ids"
import type { Passkey } from "#domain/Passkey"
import { violates } from "#platform/Transaction"
import { date, dateOrNull, utcOrNull } from "../statements/Rows.ts"

/** A passkey and the user it belongs to. */
export interface OwnedPasskey extends Passkey {
  readonly userId: UserId
}

interface Row {
  readonly realm_id: RealmId
  readonly id: CredentialId
  readonly user_id: UserId
  readonly passkey_id: string
  readonly rp_id: string
  readonly public_key: Uint8Array
  /** A bigint, which the driver returns as a string. */
  readonly sign_count: string
  readonly aaguid: string
  readonly transports: ReadonlyArray<string>
  readonly backup_eligible: boolean
  readonly backed_up: boolean
  readonly last_used_at: Date | null
}

const fromRow = (row: Row): OwnedPasskey => ({
  id: row.id,
  realmId: row.realm_id,
  userId: row.user_id,
  passkeyId: row.passkey_id,
  rpId: row.rp_id,
  publicKey: row.public_key,
  signCount: Number(row.sign_count),
  aaguid: row.aaguid,
  transports: row.transports,
  backupEligible: row.backup_eligible,
  backedUp: row.backed_up,
  lastUsedAt: utcOrNull(row.last_used_at)
})

/** The data reported by a passkey when it was used. */
export interface RecordedPasskeyUse {
  readonly signCount: number
  readonly backedUp: boolean
  readonly at: DateTime.Utc
}

/** Stores the passkey-specific data of credentials. A row is deleted together with its credential. */
export class PasskeysRepo extends Context.Service<
  PasskeysRepo,
  {
    /** Adds a credential's passkey. Returns false if the realm already has it. */
    insert(passkey: Passkey): Effect.Effect<boolean>
    /** Finds a credential's passkey. */
    find(realmId: RealmId, id: CredentialId): Effect.Effect<Passkey | undefined>
    /** Finds the passkey with this WebAuthn credential ID, and its user. */
    findOwned(realmId: RealmId, passkeyId: string): Effect.Effect<OwnedPasskey | undefined>
    /** Returns a user's passkeys, oldest first. */
    ofUser(realmId: RealmId, userId: UserId): Effect.Effect<ReadonlyArray<Passkey>>
    /**
     * Records a use. Returns false if the signature counter has not advanced (`isNextCount`) or if the passkey no longer
     * exists. If two uses report the same count, only one succeeds.
     */
    use(realmId: RealmId, id: CredentialId, used: RecordedPasskeyUse): Effect.Effect<boolean>
  }
>()("sallyport/store/PasskeysRepo") {
  static readonly layer = Layer.effect(
    PasskeysRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const select =
        sql.literal(`select p.realm_id, p.id, c.user_id, p.passkey_id, p.rp_id, p.public_key, p.sign_count, p.aaguid,
          p.transports, p.backup_eligible, p.backed_up, p.last_used_at
        from passkeys p join credentials c on c.realm_id = p.realm_id and c.id = p.id`)
      const one = Effect.map(([row]: ReadonlyArray<Row>) => (row === undefined ? undefined : fromRow(row)))

      return PasskeysRepo.of({
        insert: (passkey) =>
          sql`insert into passkeys ${sql.insert({
            realm_id: passkey.realmId,
            id: passkey.id,
            passkey_id: passkey.passkeyId,
            rp_id: passkey.rpId,
            public_key: passkey.publicKey,
            sign_count: passkey.signCount,
            aaguid: passkey.aaguid,
            transports: passkey.transports,
            backup_eligible: passkey.backupEligible,
            backed_up: passkey.backedUp,
            last_used_at: dateOrNull(passkey.lastUsedAt)
          })}`.pipe(
            Effect.as(true),
            Effect.catchIf(violates("passkeys_by_passkey_id"), () => Effect.succeed(false)),
            Effect.orDie
          ),
        find: (realmId, id) =>
          sql<Row>`${select} where p.realm_id = ${realmId} and p.id = ${id}`.pipe(one, Effect.orDie),
        findOwned: (realmId, passkeyId) =>
          sql<Row>`${select} where p.realm_id = ${realmId} and p.passkey_id = ${passkeyId}`.pipe(one, Effect.orDie),
        ofUser: (realmId, userId) =>
          sql<Row>`${select} where c.realm_id = ${realmId} and c.user_id = ${userId} order by c.id`.pipe(
            Effect.map((rows) => rows.map(fromRow)),
            Effect.orDie
          ),
        use: (realmId, id, { signCount, backedUp, at }) =>
          sql`update passkeys set sign_count = ${signCount}, backed_up = ${backedUp}, last_used_at = ${date(at)}
            where realm_id = ${realmId} and id = ${id}
              and (sign_count < ${signCount} or sign_count = 0 and ${signCount} = 0) returning id`.pipe(
            Effect.map((rows) => rows.length > 0),
            Effect.orDie
          )
      })
    })
  )
}

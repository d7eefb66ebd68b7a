import { Effect } from "effect"
import type { JwtKeyId, RealmId } from "#domain/Ids"
import type { JwtKey } from "#domain/JwtKey"
import { type EncryptedColumn, encryptedColumns } from "#platform/SecretLocation"
import { Secrets } from "#platform/Secrets"
import { Signer } from "#platform/Signer"
import { BackupRepo } from "#store/operations/BackupRepo"
import { EncryptedColumnsRepo, type RowKey } from "#store/operations/EncryptedColumnsRepo"
import { JwtKeysRepo } from "#store/realms/JwtKeysRepo"

/** The number of secrets to read in one batch, and of realms whose keys are checked concurrently. */
const BATCH = 500
const REALMS_AT_ONCE = 20

/** The number of secrets in a column, and the number of those that can't be decrypted. */
export interface DecryptedColumn {
  readonly column: EncryptedColumn
  readonly all: number
  readonly unreadable: number
}

/** The result of checking the signing keys of all realms. */
export interface SigningKeys {
  readonly realms: number
  readonly active: number
  /** The active keys that can't sign, or whose signatures the published key can't verify. */
  readonly broken: ReadonlyArray<JwtKeyId>
  /** The realms without an active key. */
  readonly without: ReadonlyArray<RealmId>
}

/** Checks whether the service could run on a restored database. The checks are read-only. */
export const backupChecks = Effect.gen(function* () {
  const repo = yield* BackupRepo
  const columns = yield* EncryptedColumnsRepo
  const keys = yield* JwtKeysRepo
  const secrets = yield* Secrets
  const signer = yield* Signer

  const decryptAll = Effect.fnUntraced(function* (column: EncryptedColumn) {
    let [all, unreadable] = [0, 0]
    let after: RowKey | undefined
    for (;;) {
      const texts = yield* columns.some(column, after, BATCH)
      for (const { location, ciphertext } of texts) {
        all += 1
        if ((yield* secrets.decrypt(location, ciphertext)) === null) unreadable += 1
      }
      after = texts.at(-1)?.key
      if (texts.length < BATCH) return { column, all, unreadable } satisfies DecryptedColumn
    }
  })

  /**
   * Returns whether the published key verifies what the key signs. For RSA, the published key is the key without its secret.
   */
  const canSignAndVerify = Effect.fnUntraced(
    function* (key: JwtKey) {
      const ownKey = yield* signer.load(key)
      const token = yield* ownKey.sign({ sub: key.id })
      const published = key.algo === "rs256" ? yield* signer.load({ ...key, secret: null }) : ownKey
      return yield* published.verifies(token)
    },
    Effect.catchDefect(() => Effect.succeed(false))
  )

  const signingKeys = Effect.gen(function* () {
    const realms = yield* repo.realms
    const broken: Array<JwtKeyId> = []
    const without: Array<RealmId> = []
    let active = 0
    const check = Effect.fnUntraced(function* (realmId: RealmId) {
      const activeKeys = (yield* keys.all(realmId)).filter(({ expiredAt }) => expiredAt === null)
      if (activeKeys.length === 0) without.push(realmId)
      active += activeKeys.length
      for (const key of activeKeys) if (!(yield* canSignAndVerify(key))) broken.push(key.id)
    })
    yield* Effect.forEach(realms, check, { concurrency: REALMS_AT_ONCE, discard: true })
    return { realms: realms.length, active, broken, without } satisfies SigningKeys
  })

  return {
    /** Decrypts the secrets of all columns. */
    secrets: Effect.forEach(encryptedColumns, decryptAll),
    /** Signs with every active key, and verifies the signature with the published key. */
    signingKeys,
    /** The time when the newest event was recorded, or undefined if there are no events. */
    newestEvent: repo.newestEvent,
    /** The number of events with missing or extra rows in their list of changes. */
    eventsWithoutChanges: repo.eventsWithoutChanges
  }
})

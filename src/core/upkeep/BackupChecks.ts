import { Effect } from "effect"
import type { JwtKeyId, RealmId } from "#domain/Ids"
import type { JwtKey } from "#domain/JwtKey"
import { type EncryptedColumn, encryptedColumns } from "#platform/SecretLocation"
import { Secrets } from "#platform/Secrets"
import { Signer } from "#platform/Signer"
import { BackupRepo } from "#store/operations/BackupRepo"
import { EncryptedColumnsRepo, type RowKey } from "#store/operations/EncryptedColumnsRepo"
import { JwtKeysRepo } from "#store/realms/JwtKeysRepo"

/** How many secrets are read per batch, and how many realms' keys are checked concurrently. */
const BATCH = 500
const REALMS_AT_ONCE = 20

/** The number of secrets in a column, and how many of those can't be decrypted. */
export interface DecryptedColumn {
  readonly column: EncryptedColumn
  readonly all: number
  readonly unreadable: number
}

/** The result of checking the signing keys of all realms. */
export interface SigningKeys {
  readonly realms: number
  readonly active: number
  /** Active keys that can't sign, or whose signatures can't be verified with the published key. */
  readonly broken: ReadonlyArray<JwtKeyId>
  /** Realms without an active key. */
  readonly without: ReadonlyArray<RealmId>
}

/** The checks of whether the service could run on a restored database. They are read-only. */
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

  /** Whether the published key verifies what the key signs. An RSA key without its secret has only its public part. */
  const canSignAndVerify = Effect.fnUntraced(
    function* (key: JwtKey) {
      const own = yield* signer.load(key)
      const token = yield* own.sign({ sub: key.id })
      const published = key.algo === "rs256" ? yield* signer.load({ ...key, secret: null }) : own
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
      const own = (yield* keys.all(realmId)).filter(({ expiredAt }) => expiredAt === null)
      if (own.length === 0) without.push(realmId)
      active += own.length
      for (const key of own) if (!(yield* canSignAndVerify(key))) broken.push(key.id)
    })
    yield* Effect.forEach(realms, check, { concurrency: REALMS_AT_ONCE, discard: true })
    return { realms: realms.length, active, broken, without } satisfies SigningKeys
  })

  return {
    /** Decrypts all secrets of all columns. */
    secrets: Effect.forEach(encryptedColumns, decryptAll),
    /** Signs with every active key, and verifies the signature with the published key. */
    signingKeys,
    /** When the newest event was recorded; undefined if there are no events. */
    newestEvent: repo.newestEvent,
    /** How many events have missing or extra rows in their list of changes. */
    eventsWithoutChanges: repo.eventsWithoutChanges
  }
})

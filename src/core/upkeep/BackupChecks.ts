import { Context, type DateTime, Effect, Layer } from "effect"
import type { JwtKeyId, RealmId } from "#domain/Ids"
import type { JwtKey } from "#domain/JwtKey"
import { type EncryptedColumn, encryptedColumns } from "#platform/SecretLocation"
import { Secrets } from "#platform/Secrets"
import { Signer } from "#platform/Signer"
import { BackupRepo } from "#store/operations/BackupRepo"
import { EncryptedColumnsRepo, type RowKey } from "#store/operations/EncryptedColumnsRepo"
import { JwtKeysRepo } from "#store/realms/JwtKeysRepo"

/** How many secrets are read at once, and of how many realms the keys are. */
const BATCH = 500
const REALMS_AT_ONCE = 20

/** How many secrets of a column there are, and how many of them can't be decrypted. */
export interface DecryptedColumn {
  readonly column: EncryptedColumn
  readonly all: number
  readonly unreadable: number
}

/** What the signing keys of all realms can do. */
export interface SigningKeys {
  readonly realms: number
  readonly active: number
  /** Active keys that don't sign, or whose signatures the published key does not verify. */
  readonly broken: ReadonlyArray<JwtKeyId>
  /** Realms without an active key. */
  readonly without: ReadonlyArray<RealmId>
}

/** Finds out whether a service could go on with a database that was restored. Changes nothing. */
export class BackupChecks extends Context.Service<
  BackupChecks,
  {
    /** Decrypts every secret of every column. */
    readonly secrets: Effect.Effect<ReadonlyArray<DecryptedColumn>>
    /** Signs with every active key, and verifies that with what is published of it. */
    readonly signingKeys: Effect.Effect<SigningKeys>
    /** When the newest event was recorded; undefined: there is none. */
    readonly newestEvent: Effect.Effect<DateTime.Utc | undefined>
    /** How many events have lost, or have too many, of their changes. */
    readonly eventsWithoutChanges: Effect.Effect<number>
  }
>()("sallyport/core/BackupChecks") {
  static readonly layer = Layer.effect(
    BackupChecks,
    Effect.gen(function* () {
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

      /** Whether what a key signs is verified by what is published of it: without its secret only the public key is left. */
      const isWhole = Effect.fnUntraced(
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
        const look = Effect.fnUntraced(function* (realmId: RealmId) {
          const own = (yield* keys.all(realmId)).filter(({ expiredAt }) => expiredAt === null)
          if (own.length === 0) without.push(realmId)
          active += own.length
          for (const key of own) if (!(yield* isWhole(key))) broken.push(key.id)
        })
        yield* Effect.forEach(realms, look, { concurrency: REALMS_AT_ONCE, discard: true })
        return { realms: realms.length, active, broken, without } satisfies SigningKeys
      })

      return BackupChecks.of({
        secrets: Effect.forEach(encryptedColumns, decryptAll),
        signingKeys,
        newestEvent: repo.newestEvent,
        eventsWithoutChanges: repo.eventsWithoutChanges
      })
    })
  )
}

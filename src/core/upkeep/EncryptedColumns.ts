import { Clock, Context, Data, Duration, Effect, Layer, Metric } from "effect"
import { type EncryptedColumn, encryptedColumns } from "#platform/SecretLocation"
import { Secrets } from "#platform/Secrets"
import { EncryptedColumnsRepo, type EncryptedText, type RowKey } from "#store/operations/EncryptedColumnsRepo"

/** The number of secrets to read and lock in one batch. */
const BATCH = 500

/** How often a node with older keys looks for secrets that are encrypted with them. */
const COUNT_INTERVAL = Duration.minutes(10)

/** How often a node that lacks a key counts secrets, to notice when no secret needs that key anymore. */
const MISSING_INTERVAL = Duration.minutes(1)

/** The state of a secret's key. `first` encrypts new secrets, `older` can still decrypt, and `missing` is not configured. */
export type KeyState = "first" | "older" | "missing"

/**
 * The number of secrets in a column that are encrypted with one key. `keyId` is null for values that are not encrypted
 * secrets.
 */
export interface KeyCount {
  readonly column: EncryptedColumn
  readonly keyId: string | null
  readonly state: KeyState
  readonly count: number
}

const rows = Metric.gauge("secrets_at_rest", {
  description:
    "Encrypted values in the database when this node last checked, by key: first (encrypts), older (configured, decrypts), missing (not configured, can't be decrypted)."
})

/** The number of secrets whose key is in this state. */
export const countIn = (state: KeyState, counts: ReadonlyArray<KeyCount>): number =>
  counts.reduce((sum, each) => (each.state === state ? sum + each.count : sum), 0)

/** The IDs of the keys in this state with which at least one secret is encrypted. */
export const keyIdsIn = (state: KeyState, counts: ReadonlyArray<KeyCount>): ReadonlyArray<string> => [
  ...new Set(counts.flatMap((each) => (each.state === state && each.keyId !== null ? [each.keyId] : [])))
]

/**
 * Most secrets in the database are encrypted with keys that are not configured. The configured key probably belongs to another
 * database.
 */
export class SecretsUnreadable extends Data.TaggedError("SecretsUnreadable")<{
  readonly missing: number
  readonly all: number
  readonly keyIds: ReadonlyArray<string>
}> {
  override get message() {
    const keyList = this.keyIds.length === 0 ? "" : ` (encrypted with ${this.keyIds.join(", ")})`
    return `SALLYPORT_SECRET does not decrypt the secrets in this database: ${this.missing} of ${this.all} can't be read${keyList}. Restore the old key. To rotate it, first add the new key after the old one on all nodes, and only then move the new key to the front.`
  }
}

/** The progress of a pass that re-encrypts secrets with older keys. */
interface Pass {
  readonly columns: ReadonlyArray<EncryptedColumn>
  readonly after: RowKey | undefined
}

/** Counts and re-encrypts the secrets stored in the database. */
export class EncryptedColumns extends Context.Service<
  EncryptedColumns,
  {
    /** Counts the secrets by key. Reads every table that has an encrypted column. */
    readonly counts: Effect.Effect<ReadonlyArray<KeyCount>>
    /**
     * At startup, re-encrypts all secrets that are encrypted with an older key, and returns their number. Fails if most
     * secrets can't be decrypted. If only some can't, logs an error. Those secrets are read as null.
     */
    readonly reencrypt: Effect.Effect<number, SecretsUnreadable>
    /**
     * Re-encrypts a batch on a running node, and returns the number of secrets: 0 if none are left, or if it is too soon to
     * look again. Secrets that other nodes still encrypt with an older key are found the next time.
     */
    readonly reencryptSome: Effect.Effect<number>
  }
>()("sallyport/core/EncryptedColumns") {
  static readonly layer = Layer.effect(
    EncryptedColumns,
    Effect.gen(function* () {
      const repo = yield* EncryptedColumnsRepo
      const secrets = yield* Secrets
      let pass: Pass | undefined
      let nextCountAt = 0
      /** The missing keys found by the last count. */
      let countedMissing: ReadonlyArray<string> = []
      // With a single key, there is nothing to re-encrypt.
      let isWatching = secrets.olderPrefixes.length > 0
      /** Identifies the configured keys. If they change, a new pass starts. */
      const keysNow = () => [secrets.currentPrefix, ...secrets.olderPrefixes].join(" ")
      let keys = keysNow()

      const stateOf = (prefix: string): KeyState =>
        prefix === secrets.currentPrefix ? "first" : secrets.olderPrefixes.includes(prefix) ? "older" : "missing"

      const countsOf = (column: EncryptedColumn) =>
        Effect.map(repo.count(column), (counts) =>
          counts.map(({ prefix, count }): KeyCount => {
            const [, keyId = null] = /^v1\.([0-9a-f]{8})\.$/.exec(prefix) ?? []
            return { column, keyId, state: stateOf(prefix), count }
          })
        )

      const countAll = Effect.gen(function* () {
        const counts = (yield* Effect.forEach(encryptedColumns, countsOf)).flat()
        for (const key of ["first", "older", "missing"] as const) {
          yield* Metric.update(Metric.withAttributes(rows, { key }), countIn(key, counts))
        }
        secrets.retainMissingKeys(keyIdsIn("missing", counts))
        countedMissing = yield* secrets.missingKeys
        isWatching = secrets.olderPrefixes.length > 0 || countIn("missing", counts) > 0
        nextCountAt =
          (yield* Clock.currentTimeMillis) +
          Duration.toMillis(countedMissing.length > 0 ? MISSING_INTERVAL : COUNT_INTERVAL)
        return counts
      })

      const reencryptText = ({ location, ciphertext }: EncryptedText) =>
        Effect.flatMap(secrets.decrypt(location, ciphertext), (text) =>
          text === null ? Effect.succeed(null) : secrets.encrypt(location, text)
        )

      /** Re-encrypts the next batch. Returns the number of secrets, which is 0 at the end of the pass. */
      const reencryptBatch = Effect.fnUntraced(function* () {
        while (pass !== undefined) {
          const [column, ...others]: ReadonlyArray<EncryptedColumn> = pass.columns
          if (column === undefined) {
            pass = undefined
            break
          }
          const { replaced, last } = yield* repo.replaceSome(
            column,
            secrets.olderPrefixes,
            pass.after,
            BATCH,
            reencryptText
          )
          pass = last === undefined ? { columns: others, after: undefined } : { ...pass, after: last }
          if (replaced > 0) return replaced
        }
        return 0
      })

      /** Counts secrets, and starts a pass through the columns that use older keys. */
      const startPass = Effect.map(countAll, (counts) => {
        const columns = encryptedColumns.filter((column) =>
          counts.some((each) => each.column === column && each.state === "older")
        )
        pass = columns.length === 0 ? undefined : { columns, after: undefined }
        return counts
      })

      const reencryptSome = Effect.gen(function* () {
        if (keys !== keysNow()) {
          keys = keysNow()
          pass = undefined
          isWatching = true
          nextCountAt = 0
        }
        if (pass === undefined) {
          const isNew = (yield* secrets.missingKeys).some((id) => !countedMissing.includes(id))
          if (!isNew && (!isWatching || (yield* Clock.currentTimeMillis) < nextCountAt)) return 0
          yield* startPass
        }
        const wasInPass = pass !== undefined
        const done = yield* reencryptBatch()
        if (done === 0 && wasInPass) yield* countAll
        return done
      })

      const reencrypt = Effect.gen(function* () {
        const counts = yield* startPass
        const all = counts.reduce((sum, { count }) => sum + count, 0)
        const missing = countIn("missing", counts)
        const keyIds = keyIdsIn("missing", counts)
        secrets.setLostKeys(keyIds)
        if (missing * 2 > all) return yield* new SecretsUnreadable({ missing, all, keyIds })
        if (missing > 0)
          yield* Effect.logError("Some encrypted values can't be decrypted: their keys are not configured.").pipe(
            Effect.annotateLogs({ missing, key_ids: keyIds.join(", ") })
          )
        let total = 0
        for (let done = yield* reencryptBatch(); done > 0; done = yield* reencryptBatch()) total += done
        if (total > 0) {
          yield* Effect.logInfo("Secrets were re-encrypted with the first key.").pipe(
            Effect.annotateLogs({ count: total })
          )
          yield* countAll
        }
        return total
      })

      return EncryptedColumns.of({ counts: countAll, reencrypt, reencryptSome })
    })
  )
}

import { Clock, Context, Data, Duration, Effect, Layer, Metric } from "effect"
import { type EncryptedColumn, encryptedColumns } from "#platform/SecretPlaces"
import { Secrets } from "#platform/Secrets"
import { EncryptedColumnsRepo, type RowKey, type SealedText } from "#store/EncryptedColumnsRepo"

/** How many secrets are in memory, and held, at once. */
const BATCH = 500

/** How often a node looks for texts under an older key, while it has one. */
const LOOK_EVERY = Duration.minutes(10)

/** Under which key a text is: the first, which seals; an older one that still opens; or one that is not configured. */
export type KeyState = "first" | "older" | "missing"

/** How many secrets of a column are under one key. `keyId`: null of what is no sealed secret at all. */
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

/** How many secrets are under keys of a state. */
export const countIn = (state: KeyState, counts: ReadonlyArray<KeyCount>): number =>
  counts.reduce((sum, each) => (each.state === state ? sum + each.count : sum), 0)

/** The ids of the keys of a state that anything is under. */
export const keyIdsIn = (state: KeyState, counts: ReadonlyArray<KeyCount>): ReadonlyArray<string> => [
  ...new Set(counts.flatMap((each) => (each.state === state && each.keyId !== null ? [each.keyId] : [])))
]

/** Most of what is in the database was sealed with encryption keys that are not configured: this is not its secret. */
export class SecretsUnreadable extends Data.TaggedError("SecretsUnreadable")<{
  readonly missing: number
  readonly all: number
  readonly keyIds: ReadonlyArray<string>
}> {
  override get message() {
    const under = this.keyIds.length === 0 ? "" : ` (encrypted with ${this.keyIds.join(", ")})`
    return `SALLYPORT_SECRET does not decrypt the secrets in this database: ${this.missing} of ${this.all} can't be read${under}. To rotate it, list the old key after the new one.`
  }
}

/** A pass through what is left under older keys. */
interface Pass {
  readonly columns: ReadonlyArray<EncryptedColumn>
  readonly after: RowKey | undefined
}

/** The secrets at rest, taken together. */
export class EncryptedColumns extends Context.Service<
  EncryptedColumns,
  {
    /** How many secrets are under which key. Reads every table that holds one. */
    readonly counts: Effect.Effect<ReadonlyArray<KeyCount>>
    /**
     * Seals again, at the start, all that is under an older key: how many. Fails when most of the secrets can't be opened;
     * fewer are told of in the log and read as null.
     */
    readonly rewrap: Effect.Effect<number, SecretsUnreadable>
    /**
     * The same for a running node, a batch at a time: how many, and 0 when none is left or it is too soon to look again.
     * Nodes that seal under another key go on writing: what they write is found by the next look.
     */
    readonly rewrapSome: Effect.Effect<number>
  }
>()("sallyport/core/EncryptedColumns") {
  static readonly layer = Layer.effect(
    EncryptedColumns,
    Effect.gen(function* () {
      const repo = yield* EncryptedColumnsRepo
      const secrets = yield* Secrets
      let pass: Pass | undefined
      let lookAt = 0
      // With one key alone nothing can be sealed again, and nobody has to look.
      let watches = secrets.olderPrefixes.length > 0

      const stateOf = (prefix: string): KeyState =>
        prefix === secrets.currentPrefix ? "first" : secrets.olderPrefixes.includes(prefix) ? "older" : "missing"

      const countsOf = (column: EncryptedColumn) =>
        Effect.map(repo.count(column), (counts) =>
          counts.map(({ prefix, count }): KeyCount => {
            const [, keyId = null] = /^v1\.([0-9a-f]{8})\.$/.exec(prefix) ?? []
            return { column, keyId, state: stateOf(prefix), count }
          })
        )

      const look = Effect.gen(function* () {
        const counts = (yield* Effect.forEach(encryptedColumns, countsOf)).flat()
        for (const key of ["first", "older", "missing"] as const) {
          yield* Metric.update(Metric.withAttributes(rows, { key }), countIn(key, counts))
        }
        watches = secrets.olderPrefixes.length > 0 || countIn("missing", counts) > 0
        lookAt = (yield* Clock.currentTimeMillis) + Duration.toMillis(LOOK_EVERY)
        return counts
      })

      const reseal = ({ place, sealed }: SealedText) =>
        Effect.flatMap(secrets.open(place, sealed), (text) =>
          text === null ? Effect.succeed(null) : secrets.seal(place, text)
        )

      /** Seals again until something was: how many. 0: the pass is over. */
      const goOn = Effect.fnUntraced(function* () {
        while (pass !== undefined) {
          const [column, ...others]: ReadonlyArray<EncryptedColumn> = pass.columns
          if (column === undefined) {
            pass = undefined
            break
          }
          const { replaced, last } = yield* repo.replaceSome(column, secrets.olderPrefixes, pass.after, BATCH, reseal)
          pass = last === undefined ? { columns: others, after: undefined } : { ...pass, after: last }
          if (replaced > 0) return replaced
        }
        return 0
      })

      /** Looks for what is to be sealed again, and begins a pass through it. */
      const begin = Effect.map(look, (counts) => {
        const columns = encryptedColumns.filter((column) =>
          counts.some((each) => each.column === column && each.state === "older")
        )
        pass = columns.length === 0 ? undefined : { columns, after: undefined }
        return counts
      })

      const rewrapSome = Effect.gen(function* () {
        if (pass === undefined) {
          if (!watches || (yield* Clock.currentTimeMillis) < lookAt) return 0
          yield* begin
        }
        const hadWork = pass !== undefined
        const done = yield* goOn()
        if (done === 0 && hadWork) yield* look
        return done
      })

      const rewrap = Effect.gen(function* () {
        const counts = yield* begin
        const all = counts.reduce((sum, { count }) => sum + count, 0)
        const missing = countIn("missing", counts)
        const keyIds = keyIdsIn("missing", counts)
        if (missing * 2 > all) return yield* new SecretsUnreadable({ missing, all, keyIds })
        if (missing > 0)
          yield* Effect.logError("encrypted values can't be decrypted: their keys are missing", { missing, keyIds })
        let total = 0
        for (let done = yield* goOn(); done > 0; done = yield* goOn()) total += done
        if (total > 0) {
          yield* Effect.logInfo("secrets re-encrypted with the first key", { count: total })
          yield* look
        }
        return total
      })

      return EncryptedColumns.of({ counts: look, rewrap, rewrapSome })
    })
  )
}

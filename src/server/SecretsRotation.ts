import { Effect, type Redacted } from "effect"
import { countIn, EncryptedColumns, type KeyCount, keyIdsIn } from "#core/upkeep/EncryptedColumns"
import type { Settings } from "./Config.ts"
import { type Connections, connectionsOf, storedSecrets } from "./inspection/DatabaseInspection.ts"

export type { DatabaseRefused } from "#sql/DatabaseRefused"

/** The keys that the secrets in a database are encrypted with. */
export interface Survey {
  readonly counts: ReadonlyArray<KeyCount>
  /** The number of secrets encrypted with a key other than the first, and with a key that is not configured. */
  readonly older: number
  readonly missing: number
  readonly missingKeys: ReadonlyArray<string>
}

const surveyOf = (counts: ReadonlyArray<KeyCount>): Survey => ({
  counts,
  older: countIn("older", counts),
  missing: countIn("missing", counts),
  missingKeys: keyIdsIn("missing", counts)
})

/**
 * The maximum number of passes over the remaining secrets. Rows that other transactions have locked are left for the
 * next pass.
 */
const MAX_PASSES = 5

/** A database whose secrets can be surveyed, and re-encrypted with the first of the keys. */
export interface SecretStore {
  readonly survey: (keys: ReadonlyArray<Redacted.Redacted>) => Effect.Effect<Survey>
  /**
   * Re-encrypts everything with the first key. `progress`: called with the number of secrets re-encrypted so far.
   * Returns the result.
   */
  readonly reencrypt: (
    keys: ReadonlyArray<Redacted.Redacted>,
    progress: (done: number) => Effect.Effect<void>
  ) => Effect.Effect<Survey>
}

/** Opens the database of these settings while `use` runs, without migrating it. */
export const withSecretStore = <A, E, R>(settings: Settings, use: (store: SecretStore) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<Connections>()
    /** Each list of keys needs its own service. */
    const under = <B>(keys: ReadonlyArray<Redacted.Redacted>, effect: Effect.Effect<B, never, EncryptedColumns>) =>
      effect.pipe(Effect.provide(storedSecrets(keys)), Effect.provideContext(context))
    const survey: SecretStore["survey"] = (keys) =>
      under(
        keys,
        Effect.flatMap(EncryptedColumns, ({ counts }) => Effect.map(counts, surveyOf))
      )
    const reencrypt: SecretStore["reencrypt"] = Effect.fnUntraced(function* (keys, progress) {
      let done = 0
      const pass = Effect.gen(function* () {
        const { reencryptSome } = yield* EncryptedColumns
        for (let some = yield* reencryptSome; some > 0; some = yield* reencryptSome) yield* progress((done += some))
      })
      for (let n = 1; ; n += 1) {
        yield* under(keys, pass)
        const after = yield* survey(keys)
        if (after.older === 0 || n === MAX_PASSES) return after
        yield* Effect.sleep("1 second")
      }
    })
    return yield* use({ survey, reencrypt })
  }).pipe(Effect.provide(connectionsOf(settings)))

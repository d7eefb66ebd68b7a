import { Effect, type Redacted } from "effect"
import { countIn, EncryptedColumns, type KeyCount, keyIdsIn } from "#core/upkeep/EncryptedColumns"
import type { Settings } from "./Config.ts"
import { type Connections, connectionsOf, storedSecrets } from "./inspection/DatabaseInspection.ts"

export type { DatabaseRefused } from "#sql/DatabaseRefused"

/** With which keys the secrets in a database are encrypted. */
export interface Survey {
  readonly counts: ReadonlyArray<KeyCount>
  /** How many are encrypted with another key than the first, and how many with one that is not configured. */
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

/** How often what is left is looked at again, where other transactions held rows. */
const MAX_PASSES = 5

/** A database whose secrets are looked at, and encrypted anew with the first of the keys. */
export interface SecretStore {
  readonly survey: (keys: ReadonlyArray<Redacted.Redacted>) => Effect.Effect<Survey>
  /** Encrypts everything with the first key. `progress`: is told how many were encrypted so far. Returns how that went. */
  readonly reencrypt: (
    keys: ReadonlyArray<Redacted.Redacted>,
    progress: (done: number) => Effect.Effect<void>
  ) => Effect.Effect<Survey>
}

/** Opens the database of these settings for as long as `use` takes, without migrating it. */
export const withSecretStore = <A, E, R>(settings: Settings, use: (store: SecretStore) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<Connections>()
    /** Another list of keys is another service. */
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

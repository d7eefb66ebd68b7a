import { Context, Data, Effect, Layer } from "effect"
import { type SealedColumn, SealedColumnsRepo, type SealedText } from "./SealedColumnsRepo.ts"
import { Secrets } from "./Secrets.ts"
import { Transaction } from "./Transaction.ts"

/** Every column that holds sealed secrets, each bound to its table, column, row (`id`) and realm. */
export const sealedColumns: ReadonlyArray<SealedColumn> = [
  { table: "api_key_peppers", column: "secret" },
  { table: "app_hooks", column: "previous_secret" },
  { table: "app_hooks", column: "secret" },
  { table: "auth_providers", column: "client_secret" },
  { table: "credentials", column: "secret" },
  { table: "invitations", column: "token" },
  { table: "jwt_keys", column: "secret" },
  { table: "mails", column: "content" },
  { table: "oauth_states", column: "secret" },
  { table: "one_time_tokens", column: "secret" }
]

/** How many secrets are in memory at once. */
const BATCH = 500

/** What is in the database was sealed with an encryption key that is not configured. */
export class SecretsUnreadable extends Data.TaggedError("SecretsUnreadable") {
  override get message() {
    return "SALLYPORT_SECRET does not open the secrets in this database. To rotate, list the old key after the new one."
  }
}

/** The secrets at rest, taken together. */
export class SealedColumns extends Context.Service<
  SealedColumns,
  {
    /** Seals again, at the start, what is under another than the first encryption key: how many. */
    readonly rewrap: Effect.Effect<number, SecretsUnreadable>
  }
>()("sallyport/core/SealedColumns") {
  static readonly layer = Layer.effect(
    SealedColumns,
    Effect.gen(function* () {
      const repo = yield* SealedColumnsRepo
      const secrets = yield* Secrets
      const transaction = yield* Transaction

      const resealed = Effect.fnUntraced(function* ({ table, column }: SealedColumn, text: SealedText) {
        const place = { table, column, row: text.id, realm: text.realm_id }
        const open = secrets.open(place, text.sealed)
        const plaintext = yield* Effect.catchDefect(open, () => Effect.fail(new SecretsUnreadable()))
        return { ...text, sealed: yield* secrets.seal(place, plaintext) }
      })

      const rewrapBatch = (column: SealedColumn, after: SealedText | undefined) =>
        transaction.run(
          Effect.gen(function* () {
            const texts = yield* repo.othersHeld(column, secrets.currentPrefix, after, BATCH)
            if (texts.length > 0)
              yield* repo.replace(column, yield* Effect.forEach(texts, (text) => resealed(column, text)))
            return texts
          })
        )

      const rewrapColumn = Effect.fnUntraced(function* (column: SealedColumn) {
        let count = 0
        let last: SealedText | undefined
        do {
          const batch: ReadonlyArray<SealedText> = yield* rewrapBatch(column, last)
          count += batch.length
          last = batch.length < BATCH ? undefined : batch.at(-1)
        } while (last !== undefined)
        return count
      })

      const rewrap = Effect.map(Effect.forEach(sealedColumns, rewrapColumn), (counts) =>
        counts.reduce((sum, count) => sum + count, 0)
      )

      return SealedColumns.of({ rewrap })
    })
  )
}

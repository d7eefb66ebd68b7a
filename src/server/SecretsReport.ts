import { Console, Effect, Layer } from "effect"
import { countIn, EncryptedColumns, type KeyCount, type KeyState, keyIdsIn } from "#core/upkeep/EncryptedColumns"
import { Entropy } from "#platform/Entropy"
import { Secrets } from "#platform/Secrets"
import { layer as database } from "#sql/Database"
import { EncryptedColumnsRepo } from "#store/EncryptedColumnsRepo"
import { settings } from "./Config.ts"
import { Clients } from "./layers/Store.ts"
import { encryptionKeys } from "./SecretFile.ts"

const words: Readonly<Record<KeyState, string>> = {
  first: "first: encrypts",
  older: "older: decrypts",
  missing: "not configured"
}

/** The counts as a table: one line for each column and key. */
export const secretsTable = (counts: ReadonlyArray<KeyCount>): string => {
  const head = ["TABLE", "COLUMN", "KEY", "STATE", "ROWS"]
  const lines = counts.map(({ column, keyId, state, count }) => [
    column.table,
    column.column,
    keyId ?? "(none)",
    words[state],
    String(count)
  ])
  const widths = head.map((title, at) => Math.max(title.length, ...lines.map((line) => (line[at] ?? "").length)))
  const padded = (line: ReadonlyArray<string>) =>
    line
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd()
  return [head, ...lines].map(padded).join("\n")
}

/** Says whether a key may be removed. */
export const secretsVerdict = (counts: ReadonlyArray<KeyCount>): string => {
  const [older, missing] = [countIn("older", counts), countIn("missing", counts)]
  const under = (state: KeyState) => keyIdsIn(state, counts).join(", ") || "no key"
  if (missing > 0) {
    return `${missing} can't be decrypted: encrypted with ${under("missing")}, not in SALLYPORT_SECRET. Add that key again, after the others.`
  }
  if (older > 0) {
    return `Keep every key: ${older} still encrypted with ${under("older")}. Running nodes that list it after the first one re-encrypt them within minutes.`
  }
  return "Everything is encrypted with the first key. Once every running node lists it first, you can remove the others."
}

/** Prints with which encryption keys the secrets in the database are encrypted, and whether a key may be removed. */
export const reportSecrets = Effect.gen(function* () {
  const config = yield* settings
  const secrets = Secrets.layer(yield* encryptionKeys(config)).pipe(Layer.provide(Entropy.layer))
  const columns = EncryptedColumns.layer.pipe(
    Layer.provide(Layer.merge(EncryptedColumnsRepo.layer, secrets)),
    Layer.provide(Clients),
    Layer.provide(database(config.database, { migrate: false }))
  )
  const counts = yield* Effect.provide(
    Effect.flatMap(EncryptedColumns, (all) => all.counts),
    columns
  )
  yield* Console.log(`${secretsTable(counts)}\n\n${secretsVerdict(counts)}`)
})

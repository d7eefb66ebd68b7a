import { Effect } from "effect"
import { countIn, type KeyCount, type KeyState, keyIdsIn } from "#core/upkeep/EncryptedColumns"
import { readSettings } from "./Config.ts"
import type { Environment } from "./EnvironmentReader.ts"
import { requireDatabase } from "./inspection/DatabaseInspection.ts"
import { encryptionKeys } from "./SecretFile.ts"
import { keyOf } from "./SecretKeys.ts"
import { withSecretStore } from "./SecretsRotation.ts"

const words: Readonly<Record<KeyState, string>> = {
  first: "first: encrypts",
  older: "older: decrypts",
  missing: "not configured"
}

/** The counts as a table, with one line per column and key. */
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

/** Returns a sentence about which keys may be removed or put first. `isAlone`: whether there is only one key. */
export const secretsVerdict = (counts: ReadonlyArray<KeyCount>, isAlone: boolean): string => {
  const [older, missing] = [countIn("older", counts), countIn("missing", counts)]
  const under = (state: KeyState) => keyIdsIn(state, counts).join(", ") || "no key"
  if (missing > 0) {
    return `${missing} can't be decrypted: encrypted with ${under("missing")}, not in SALLYPORT_SECRET. Add that key again, after the others.`
  }
  if (older > 0) {
    return `Keep all keys: ${older} still encrypted with ${under("older")}. Nodes can be started with this list once every running node has all of its keys, in any order. Nodes with the first key in front re-encrypt the rest within minutes.`
  }
  if (isAlone) {
    return "Everything is encrypted with the first key, the only one. To rotate it, add a new key after it on every node; once all of them run with both, the new key can be put first."
  }
  return "Everything is encrypted with the first key. Once every running node has this list, another of its keys can be put first. Once every running node has the first key in front, the others can be removed."
}

/** Reports which encryption keys the secrets in an environment's database are encrypted with. */
export const reportSecrets = Effect.fnUntraced(function* (environment: Environment) {
  const config = yield* readSettings(environment)
  yield* requireDatabase(config)
  const keys = yield* encryptionKeys(config)
  const { counts } = yield* withSecretStore(config, ({ survey }) => survey(keys))
  const ids = keys.map((key) => keyOf(key).id)
  return { counts, keys: ids, table: secretsTable(counts), verdict: secretsVerdict(counts, keys.length === 1) }
})

import { Effect } from "effect"
import { EncryptedColumns } from "#core/upkeep/EncryptedColumns"
import type { Job } from "./Actor.ts"

/**
 * Re-encrypts, with the first encryption key, secrets that a running node has encrypted with an older one (SEC-104). No item
 * has a due time: a secret under an older key stays readable until that key is removed.
 */
export const RewrapSecrets = Effect.map(
  EncryptedColumns,
  (columns): Job => ({ name: "RewrapSecrets", batch: columns.reencryptSome, nextDue: Effect.succeed(undefined) })
)

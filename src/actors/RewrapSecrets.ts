import { Effect } from "effect"
import { EncryptedColumns } from "#core/upkeep/EncryptedColumns"
import type { Job } from "./Actor.ts"

/**
 * Re-encrypts secrets that a running node has encrypted with an older key, using the first encryption key (SEC-104).
 * Items have no due time: a secret under an older key stays readable until that key is removed.
 */
export const RewrapSecrets = Effect.map(
  EncryptedColumns,
  (columns): Job => ({ name: "RewrapSecrets", batch: columns.reencryptSome, nextDue: Effect.succeed(undefined) })
)

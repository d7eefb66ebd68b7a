import { Effect } from "effect"
import { EncryptedColumns } from "#core/upkeep/EncryptedColumns"
import type { Job } from "./Actor.ts"

/**
 * Re-encrypts secrets that a running node has encrypted with an older key, using the first encryption key (SEC-104). These
 * items have no due time, because a secret stays readable until its key is removed.
 */
export const RewrapSecrets = Effect.map(
  EncryptedColumns,
  (columns): Job => ({ name: "RewrapSecrets", batch: columns.reencryptSome, nextDue: Effect.succeed(undefined) })
)

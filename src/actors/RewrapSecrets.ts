import { Effect } from "effect"
import { EncryptedColumns } from "#core/upkeep/EncryptedColumns"
import type { Job } from "./Actor.ts"

/**
 * Seals again, under the first encryption key, what a node that still runs has sealed under an older one (SEC-104). Nothing
 * falls due by it: secrets under an older key are as good as any, until that key is taken away.
 */
export const RewrapSecrets = Effect.map(
  EncryptedColumns,
  (columns): Job => ({ name: "RewrapSecrets", batch: columns.rewrapSome, nextDue: Effect.succeed(undefined) })
)

import { Effect } from "effect"
import type { Settings } from "#server/Config"
import {
  type Backlog,
  DatabaseRefused,
  type FailingHook,
  inspectEmbeddedFolder,
  inspectStored,
  type KeyCount
} from "#server/inspection/DatabaseInspection"
import { encryptionKeys } from "#server/SecretFile"
import { type Finding, skipped } from "./Finding.ts"

/** The contents of a database that matter here: its secrets by encryption key, and its pending deliveries. */
export interface Stored {
  readonly counts: ReadonlyArray<KeyCount>
  /** The pending deliveries, or undefined if the database did not respond in time. */
  readonly backlog: ReadonlyArray<Backlog> | undefined
  /** The hooks with the most pending deliveries that have failed before, in descending order. */
  readonly failingHooks: ReadonlyArray<FailingHook>
}

/** Whether the result is a finding, which explains why nothing could be read. */
export const isFinding = (stored: Stored | Finding): stored is Finding => "verdict" in stored

/**
 * Reads the contents of a database, if it has this release's tables. `form`: whether the tables in PostgreSQL are those
 * of this release.
 */
export const readStored = Effect.fnUntraced(function* (
  settings: Settings,
  form: Effect.Effect<"current" | "empty" | "unreadable">
) {
  const { database } = settings
  if (database._tag === "Memory") return skipped("The database is in memory and can't be inspected from here.")
  if (database._tag === "Embedded") {
    const { hasDatabase, hasSecret } = inspectEmbeddedFolder(database.dataDir)
    if (!hasDatabase) return skipped("There is no database yet.")
    if (!hasSecret && settings.secrets.length === 0) return skipped("The file with the encryption key is missing.")
  } else {
    const found = yield* form
    if (found === "empty") return skipped("The database is empty. The first start creates the tables.")
    if (found === "unreadable") return skipped("The database can't be read, or isn't migrated to this release.")
  }
  return yield* inspectStored(settings, yield* encryptionKeys(settings)).pipe(
    Effect.catchTag("DatabaseRefused", (refused) =>
      Effect.succeed(
        skipped(
          refused.reason === "InUse"
            ? "The running service is using the embedded database. Stop the service to check the database."
            : refused.message
        )
      )
    )
  )
})

export { DatabaseRefused }

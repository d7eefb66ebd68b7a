import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { Clock, Effect } from "effect"
import { countIn, EncryptedColumns } from "#core/upkeep/EncryptedColumns"
import { type CopiedTable, type CopyProgress, CopyRefused, copyDatabase, planCopy } from "#sql/Copy"
import { Connections } from "#sql/Database"
import { readMigrations } from "#sql/MigrationFiles"
import { inspectSettings, readDatabase } from "./Config.ts"
import type { Environment } from "./EnvironmentReader.ts"
import { patientConnections, requireDatabase, storedSecrets } from "./inspection/DatabaseInspection.ts"
import { encryptionKeys, secretFile } from "./SecretFile.ts"

export type { CopyProgress } from "#sql/Copy"

/** The result of a move, or of a dry run. */
export interface MoveReport {
  readonly from: string
  readonly to: string
  readonly tables: ReadonlyArray<CopiedTable>
  readonly rows: number
  readonly millis: number
  /** The file with the encryption key of the embedded database, or undefined if the key is in the settings. */
  readonly secretFile: string | undefined
  /** The file with the generated root key, if there is one. */
  readonly rootKeyFile: string | undefined
  /** The number of secrets that can't be decrypted with the key, and couldn't before the move. */
  readonly unreadable: number
}

/** The settings of the embedded database, regardless of the database that the environment configures. */
const sourceOf = (environment: Environment) =>
  Effect.map(
    inspectSettings({ ...environment, DATABASE_URL: undefined, DATABASE_URL_FILE: undefined }),
    ({ settings }) => settings
  )

/**
 * Copies the embedded database in `SALLYPORT_DATA_DIR` to the empty PostgreSQL database at `DATABASE_URL`. No service
 * may be using the embedded database, which stays unchanged. `progress`: undefined for a dry run, which only reports
 * what would be copied.
 */
export const moveDatabase = Effect.fnUntraced(function* (
  environment: Environment,
  progress: ((at: CopyProgress) => Effect.Effect<void>) | undefined
) {
  const clock = yield* Clock.Clock
  const began = clock.monotonicTimeNanosUnsafe()
  const target = yield* readDatabase(environment)
  if (target._tag !== "Postgres") {
    return yield* new CopyRefused({
      message: "DATABASE_URL is not set to a PostgreSQL database that the embedded one could be moved to.",
      todo: "Set it to the URL of an empty database. There is no option for it, because everyone on this machine can see the options of a command."
    })
  }
  const source = yield* sourceOf(environment)
  yield* requireDatabase(source)
  const migrations = yield* readMigrations()
  const keys = yield* encryptionKeys(source)
  return yield* Effect.gen(function* () {
    const from = yield* Connections
    const counts = yield* Effect.flatMap(EncryptedColumns, ({ counts }) => counts).pipe(
      Effect.provide(storedSecrets(keys)),
      // The check below rejects a database of another release, and says what to do.
      Effect.catchDefect(() => Effect.succeed([]))
    )
    return yield* Effect.gen(function* () {
      const to = yield* Connections
      const tables = yield* progress === undefined
        ? planCopy(from.fast, to, migrations)
        : copyDatabase(from.fast, to, migrations, progress)
      const rootKeyFile = resolve(source.dataDir, "root_key")
      return {
        from: `embedded database in ${source.dataDir}`,
        to: to.describe,
        tables,
        rows: tables.reduce((sum, { rows }) => sum + rows, 0),
        millis: Math.round(Number(clock.monotonicTimeNanosUnsafe() - began) / 1e6),
        secretFile: source.secrets.length > 0 ? undefined : resolve(secretFile(source.dataDir)),
        rootKeyFile: existsSync(rootKeyFile) ? rootKeyFile : undefined,
        unreadable: countIn("missing", counts)
      } satisfies MoveReport
    }).pipe(Effect.provide(patientConnections({ ...source, database: target })))
  }).pipe(Effect.provide(patientConnections(source)))
})

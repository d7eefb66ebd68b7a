import { statSync } from "node:fs"
import { resolve } from "node:path"
import { Context, Effect, Layer, Logger, type Redacted } from "effect"
import { backupChecks } from "#core/upkeep/BackupChecks"
import { Entropy } from "#platform/Entropy"
import { Secrets } from "#platform/Secrets"
import { Signer } from "#platform/Signer"
import { Connections } from "#sql/Database"
import { applyAll, missingStructure, pendingMigrations, surveyTables } from "#sql/Survey"
import { DeliveryBacklogRepo } from "#store/hooks/DeliveryBacklogRepo"
import { BackupRepo } from "#store/operations/BackupRepo"
import { EncryptedColumnsRepo } from "#store/operations/EncryptedColumnsRepo"
import { JwtKeysRepo } from "#store/realms/JwtKeysRepo"
import { ConfigRefused, inspectSettings, readSettings, type Settings } from "../Config.ts"
import type { Environment } from "../EnvironmentReader.ts"
import { patientConnections, requireDatabase } from "../inspection/DatabaseInspection.ts"
import { Clients } from "../layers/Store.ts"
import { encryptionKeys } from "../SecretFile.ts"
import { copyFolder, RestoreFailed, restoreDump } from "./Restored.ts"

export type { DecryptedColumn, SigningKeys } from "#core/upkeep/BackupChecks"
export { DatabaseRefused } from "#sql/DatabaseRefused"
export type { SurveyedTable } from "#sql/Survey"
export type { Backlog } from "#store/hooks/DeliveryBacklogRepo"
export { RestoreFailed } from "./Restored.ts"

/** An opened backup: a dump restored for the check, a copy of an embedded database, or a database itself. */
export interface Opened {
  readonly _tag: "Dump" | "Folder" | "Database"
  readonly settings: Settings
  /** The duration of restoring or copying. */
  readonly millis: number
  /** Whether the copied folder contained a lock: a service was using it, or had been killed there. */
  readonly hasLock: boolean
}

const isFolder = (path: string): Effect.Effect<boolean, RestoreFailed> =>
  Effect.try({
    try: () => statSync(path).isDirectory(),
    catch: () =>
      new RestoreFailed({
        message: `There is no ${resolve(path)}.`,
        todo: "Name a dump made by pg_dump --format=custom, or a copy of an embedded database's folder."
      })
  })

/** The settings of an embedded database, regardless of the database that the environment configures. */
const embeddedSettings = Effect.fnUntraced(function* (environment: Environment) {
  const { settings, problems } = yield* inspectSettings({
    ...environment,
    DATABASE_URL: undefined,
    DATABASE_URL_FILE: undefined
  })
  const ofSecrets = problems.filter((problem) => problem.includes("SALLYPORT_SECRET"))
  return ofSecrets.length > 0 ? yield* new ConfigRefused({ problems: ofSecrets }) : settings
})

const openFolder = Effect.fnUntraced(function* (environment: Environment, folder: string) {
  const settings = yield* embeddedSettings(environment)
  yield* requireDatabase({ ...settings, database: { _tag: "Embedded", dataDir: folder } })
  return { _tag: "Folder" as const, ...(yield* copyFolder(settings, folder)) } satisfies Opened
})

/**
 * Opens a backup, restored or copied, while the scope is open. `path`: the backup, or undefined to check the
 * environment's database itself.
 */
export const openBackup = Effect.fnUntraced(function* (environment: Environment, path: string | undefined) {
  if (path !== undefined && (yield* isFolder(path))) return yield* openFolder(environment, path)
  const settings = yield* readSettings(environment)
  if (path !== undefined) {
    return {
      _tag: "Dump" as const,
      hasLock: false,
      ...(yield* restoreDump(environment, settings, resolve(path)))
    } satisfies Opened
  }
  const { database } = settings
  if (database._tag === "Embedded") return yield* openFolder(environment, database.dataDir)
  if (database._tag === "Memory") {
    return yield* new RestoreFailed({
      message: "A database in memory has no backup.",
      todo: "Name a backup, or set DATABASE_URL to a database that was restored from one."
    })
  }
  return { _tag: "Database" as const, settings, millis: 0, hasLock: false } satisfies Opened
})

const services = (keys: ReadonlyArray<Redacted.Redacted>) =>
  Layer.mergeAll(BackupRepo.layer, EncryptedColumnsRepo.layer, JwtKeysRepo.layer, DeliveryBacklogRepo.layer).pipe(
    Layer.provideMerge(Layer.mergeAll(Secrets.layer(keys), Signer.layer)),
    Layer.provide(Layer.merge(Clients, Entropy.layer))
  )

/** The checks of an open database. Only `migrate` modifies the database, so it must only run on copies. */
export const facts = Effect.fnUntraced(function* ({ settings }: Opened) {
  const connections = yield* Layer.build(patientConnections(settings))
  const own = Context.get(connections, Connections)
  const built = yield* Layer.build(
    services(yield* encryptionKeys(settings)).pipe(Layer.provide(Layer.succeedContext(connections)))
  )
  const checks = yield* Effect.provideContext(backupChecks, built)
  const { backlog } = Context.get(built, DeliveryBacklogRepo)
  return {
    describe: own.describe,
    pending: pendingMigrations(own.fast),
    migrate: applyAll(own),
    structure: missingStructure(own.fast),
    tables: surveyTables(own.slow),
    // Problems with secrets are reported as findings here, so they aren't logged.
    secrets: Effect.provideService(checks.secrets, Logger.CurrentLoggers, new Set()),
    signingKeys: Effect.provideService(checks.signingKeys, Logger.CurrentLoggers, new Set()),
    newestEvent: checks.newestEvent,
    eventsWithoutChanges: checks.eventsWithoutChanges,
    waiting: backlog
  }
})

export type Facts = Effect.Success<ReturnType<typeof facts>>

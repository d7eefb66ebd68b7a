import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { Effect, Layer, type Redacted } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { EncryptedColumns } from "#core/upkeep/EncryptedColumns"
import { Entropy } from "#platform/Entropy"
import { Secrets } from "#platform/Secrets"
import { Connections, layer as database } from "#sql/Database"
import { DatabaseRefused } from "#sql/DatabaseRefused"
import { inspect } from "#sql/Inspection"
import { DeliveryBacklogRepo } from "#store/hooks/DeliveryBacklogRepo"
import { EncryptedColumnsRepo } from "#store/operations/EncryptedColumnsRepo"
import type { Settings } from "../Config.ts"
import { Clients } from "../layers/Store.ts"

export type { KeyCount, KeyState } from "#core/upkeep/EncryptedColumns"
export { countIn, EncryptedColumns, keyIdsIn } from "#core/upkeep/EncryptedColumns"
export { DatabaseRefused } from "#sql/DatabaseRefused"
export type { Inspection } from "#sql/Inspection"
export { OLDEST } from "#sql/Postgres"
export type { Backlog, FailingHook } from "#store/hooks/DeliveryBacklogRepo"

/** Inspects a PostgreSQL database as one node with these settings would use it. */
export const inspectPostgres = ({ database: target, poolSize, workers }: Settings, url: Redacted.Redacted) =>
  inspect(url, {
    processes: workers,
    pooler: (target._tag === "Postgres" ? target.pooler : undefined) ?? "none",
    ...(poolSize === undefined ? {} : { poolSize })
  }).pipe(Effect.provideServiceEffect(Reactivity.Reactivity, Reactivity.make))

/** Examines the folder of an embedded database before anything opens it. */
export const inspectEmbeddedFolder = (dataDir: string) => {
  const folder = resolve(dataDir)
  return { folder, hasDatabase: existsSync(join(folder, "database")), hasSecret: existsSync(join(folder, "secret")) }
}

/** Rejects an embedded database that doesn't exist yet or lacks its key, because opening it would create them. */
export const requireDatabase = ({ database: target, secrets }: Settings): Effect.Effect<void, DatabaseRefused> =>
  Effect.suspend(() => {
    if (target._tag !== "Embedded") return Effect.void
    const { folder, hasDatabase, hasSecret } = inspectEmbeddedFolder(target.dataDir)
    const message = hasDatabase
      ? `The file ${folder}/secret is missing: nothing that is encrypted in the database can be read. Restore it from a backup.`
      : `There is no database in ${folder}: the service creates it, and its key, at the first start.`
    if (hasDatabase && (hasSecret || secrets.length > 0)) return Effect.void
    return Effect.fail(new DatabaseRefused({ reason: "Broken", message }))
  })

/** A few connections for inspection, opened without migrating the database. */
const connections = ({ database: target, answerWithin }: Settings) =>
  database(target._tag === "Postgres" ? { ...target, poolSize: 2, answerWithin } : target, { migrate: false })

/** The time limit for a server to read a whole table, in seconds. */
const A_DAY = 86_400

/** Like `connections`, with enough time to read whole tables. */
export const patientConnections = (settings: Settings) =>
  connections(
    settings.database._tag === "Postgres"
      ? { ...settings, database: { ...settings.database, slowAnswerWithin: A_DAY } }
      : settings
  )

/** The service that counts a database's secrets, with these encryption keys, on an open connection. */
export const storedSecrets = (keys: ReadonlyArray<Redacted.Redacted>) => {
  const secrets = Secrets.layer(keys).pipe(Layer.provide(Entropy.layer))
  return EncryptedColumns.layer.pipe(
    Layer.provide(Layer.merge(EncryptedColumnsRepo.layer, secrets)),
    Layer.provide(Clients)
  )
}

/**
 * Inspects the stored data: the number of secrets by key, and the pending deliveries. The database must have this
 * release's schema.
 */
export const inspectStored = Effect.fnUntraced(
  function* (_: Settings, keys: ReadonlyArray<Redacted.Redacted>) {
    const stored = Layer.merge(storedSecrets(keys), DeliveryBacklogRepo.layer.pipe(Layer.provide(Clients)))
    return yield* Effect.gen(function* () {
      const { backlog, failingHooks } = yield* DeliveryBacklogRepo
      return {
        counts: yield* (yield* EncryptedColumns).counts,
        backlog: yield* backlog,
        failingHooks: (yield* failingHooks) ?? []
      }
    }).pipe(Effect.provide(stored))
  },
  (effect, settings) => Effect.provide(effect, connections(settings))
)

export { Connections, connections as connectionsOf }

import { existsSync, renameSync, rmSync } from "node:fs"
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import { DatabaseRefused, detailOf } from "./DatabaseRefused.ts"
import { hold } from "./LockFile.ts"
import type { Migration } from "./MigrationFiles.ts"
import { pgliteClient, startPglite } from "./PgliteClient.ts"
import { damageIn } from "./PgliteFolder.ts"
import { imageOf } from "./PgliteImage.ts"
import { maintain } from "./PgliteMaintenance.ts"
import { untar } from "./Untar.ts"

/**
 * The settings of an in-memory database. A small cache starts faster, and data outside it is in memory anyway. The log of
 * changes is in memory, too, and never read, so it contains as little as possible. Each statement is planned only once. By
 * default, its first five executions would be planned again, which takes a test longer than executing them.
 */
const IN_MEMORY = {
  shared_buffers: "4MB",
  wal_level: "minimal",
  max_wal_senders: "0",
  full_page_writes: "off",
  plan_cache_mode: "force_generic_plan"
}

/** Opens the embedded database in `folder`, or in memory if there is none, and returns its client. */
export const connect = Effect.fn("Pglite.connect")(
  function* (folder: string | undefined, migrations: ReadonlyArray<Migration>) {
    if (folder === undefined) {
      const load = Effect.promise(() => import("./PgliteMemory.ts"))
      const [image, { PgliteMemory }] = yield* Effect.all([imageOf(migrations), load], { concurrency: 2 })
      return yield* pgliteClient(yield* startPglite({ fs: new PgliteMemory(image) }, "in memory", IN_MEMORY))
    }
    const path = resolve(folder)
    yield* hold(path)
    yield* prepare(path, migrations)
    const damage = damageIn(join(path, "database"))
    if (damage !== undefined) return yield* damage
    const sql = yield* pgliteClient(yield* startPglite({ dataDir: join(path, "database") }, `in ${path}`))
    yield* Effect.forkScoped(maintain(sql))
    return sql
  },
  (effect) =>
    Effect.catchTag(effect, "SqlError", (error) => {
      const message = `The embedded database cannot be used: ${detailOf(error)}.`
      return Effect.fail(new DatabaseRefused({ reason: "Broken", message }))
    })
)

/**
 * Unpacks a new database next to its final location and then moves it there, so that an interrupted start doesn't leave a
 * partial database.
 */
const prepare = Effect.fn("Pglite.prepare")(function* (path: string, migrations: ReadonlyArray<Migration>) {
  const database = join(path, "database")
  if (existsSync(database)) return
  const image = yield* imageOf(migrations)
  yield* Effect.try({
    try: () => {
      const unfinished = `${database}.unfinished`
      rmSync(unfinished, { recursive: true, force: true })
      untar(image, unfinished)
      renameSync(unfinished, database)
    },
    catch: (cause) =>
      new DatabaseRefused({ reason: "Broken", message: `The data folder ${path} cannot be written: ${String(cause)}.` })
  })
})

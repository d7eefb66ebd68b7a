import * as PgClient from "@effect/sql-pg/PgClient"
import type { PGlite, PGliteOptions } from "@electric-sql/pglite"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { DatabaseRefused } from "./DatabaseRefused.ts"
import { limitCompiler } from "./PgliteCompiler.ts"
import { damageBehind } from "./PgliteFolder.ts"
import { PgliteSession } from "./PgliteSession.ts"
import { PgliteStream } from "./PgliteStream.ts"
import { unrefTimers } from "./PgliteTimers.ts"

/** The PostgreSQL settings. The cache is PostgreSQL's own, in front of its files, and all of it is in memory from the start. */
const SETTINGS = { shared_buffers: "8MB" }

/** Starts an embedded database, which runs until the scope closes. */
export const startPglite = (options: PGliteOptions, where: string, settings: Record<string, string> = SETTINGS) =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => {
        limitCompiler()
        const { PgliteDatabase } = await import("./PgliteDatabase.ts")
        const set = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
        const startParams = [...PgliteDatabase.defaultStartParams, ...set]
        const database = new PgliteDatabase({ ...options, startParams, extensions: { unrefTimers } })
        await database.waitReady
        return database
      },
      catch: (cause) => {
        const damage = options.dataDir === undefined ? undefined : damageBehind(options.dataDir, cause)
        if (damage !== undefined) return damage
        const message = `The embedded database ${where} cannot be opened: ${String(cause)}.`
        return new DatabaseRefused({ reason: "Broken", message })
      }
    }),
    (database) => Effect.promise(() => database.close())
  )

/** The client of an embedded database. It has a single connection, so transactions never interleave. */
export const pgliteClient = (database: PGlite) => {
  const session = new PgliteSession(database)
  return PgClient.make({
    stream: () => new PgliteStream(session),
    ssl: false,
    username: "postgres",
    database: "postgres",
    // A new connection waits until the previous one releases the session.
    connectTimeout: Duration.infinity,
    // The only connection is never closed when idle. The timer for that would keep the process alive.
    idleTimeout: Duration.infinity,
    minConnections: 1,
    maxConnections: 1,
    multiplex: true
  })
}

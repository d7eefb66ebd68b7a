import * as PgClient from "@effect/sql-pg/PgClient"
import type { PGlite, PGliteOptions } from "@electric-sql/pglite"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { DatabaseRefused } from "./DatabaseRefused.ts"
import { PgliteSession } from "./PgliteSession.ts"
import { PgliteStream } from "./PgliteStream.ts"
import { looseTimers } from "./PgliteTimers.ts"

/** Starts an embedded database that runs until the scope closes. `cache`: its own, in front of its files. */
export const startPglite = (options: PGliteOptions, where: string, cache = "32MB") =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => {
        const { PgliteDatabase } = await import("./PgliteDatabase.ts")
        const startParams = [...PgliteDatabase.defaultStartParams, "-c", `shared_buffers=${cache}`]
        const database = new PgliteDatabase({ ...options, startParams, extensions: { looseTimers } })
        await database.waitReady
        return database
      },
      catch: (cause) => {
        const message = `The embedded database ${where} cannot be opened: ${String(cause)}.`
        return new DatabaseRefused({ reason: "Broken", message })
      }
    }),
    (database) => Effect.promise(() => database.close())
  )

/** The client of an embedded database. It has one connection, so that transactions never interleave. */
export const pgliteClient = (database: PGlite) => {
  const session = new PgliteSession(database)
  return PgClient.make({
    stream: () => new PgliteStream(session),
    ssl: false,
    username: "postgres",
    database: "postgres",
    // A new connection waits for as long as the connection before it has the session.
    connectTimeout: Duration.infinity,
    // The one connection stays. To look whether it is idle would keep the process alive.
    idleTimeout: Duration.infinity,
    minConnections: 1,
    maxConnections: 1,
    multiplex: true
  })
}

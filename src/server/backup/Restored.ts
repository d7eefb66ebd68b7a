import { spawn } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { Clock, Context, Data, Effect, Layer, Redacted } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Entropy } from "#platform/Entropy"
import { randomSecret } from "#platform/Tokens"
import { Connections } from "#sql/Database"
import { codeOf, DatabaseRefused, detailOf } from "#sql/DatabaseRefused"
import { changedUrl, urlsOf } from "#sql/HostList"
import type { Settings } from "../Config.ts"
import type { Environment } from "../EnvironmentReader.ts"
import { connectionsOf } from "../inspection/DatabaseInspection.ts"

/** A backup can't be restored. `message`: the reason; `todo`: what to do about it. */
export class RestoreFailed extends Data.TaggedError("RestoreFailed")<{
  readonly message: string
  readonly todo: string
}> {}

/** The maximum number of characters used from the output of `pg_restore`. */
const MAX_OUTPUT = 2_000

/** Runs `pg_restore`. The password is passed in the environment, because arguments are visible to everyone on the machine. */
const pgRestore = (environment: Environment, file: string, url: string) =>
  Effect.callback<void, RestoreFailed>((resume) => {
    let password = ""
    const open = changedUrl(url, (one) => {
      password = decodeURIComponent(one.password)
      one.password = ""
      if (urlsOf(url).length > 1) one.searchParams.set("target_session_attrs", "read-write")
    })
    const words = ["--no-owner", "--no-privileges", "--exit-on-error", `--dbname=${open ?? url}`, file]
    const env = { ...environment, ...(password === "" ? {} : { PGPASSWORD: password }) }
    const child = spawn("pg_restore", words, { stdio: ["ignore", "ignore", "pipe"], env })
    let output = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-MAX_OUTPUT)
    })
    const failed = (message: string, todo: string) => resume(Effect.fail(new RestoreFailed({ message, todo })))
    child.on("error", () =>
      failed(
        "pg_restore can't be run: it is not on this machine.",
        "Install PostgreSQL's client tools, in the server's release or a later one."
      )
    )
    child.on("close", (code) => {
      if (code === 0) return resume(Effect.void)
      const lines = output
        .trim()
        .split("\n")
        .filter((line) => !line.includes("warning: errors ignored"))
      failed(
        `${file} can't be restored: ${(lines.at(-1) ?? `pg_restore ended with ${code}`).replace(/^pg_restore: (?:error: )?/, "")}.`,
        "Restore it on a server of the dump's release or a later one. If that doesn't help, create a new dump with pg_dump --format=custom, and keep an older one until the new one is verified."
      )
    })
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/** The SQLSTATE for a missing privilege. */
const INSUFFICIENT_PRIVILEGE = "42501"

/** Creates an empty database next to another one, and drops it when the scope closes. */
const scratchBeside = Effect.fnUntraced(function* (settings: Settings, url: string) {
  const name = `sallyport_verify_${randomSecret(yield* Entropy, 6)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "0")}`
  // Must stay open as long as the scope, which runs a statement when it closes.
  const { slow } = Context.get(yield* Layer.build(connectionsOf(settings)), Connections)
  const refused = (error: SqlError) =>
    codeOf(error) === INSUFFICIENT_PRIVILEGE
      ? new DatabaseRefused({
          reason: "NotAllowed",
          message:
            "The user in DATABASE_URL may not create another database on the server, which the backup would be restored into."
        })
      : new RestoreFailed({
          message: `The server in DATABASE_URL can't create a database to restore the backup into: ${detailOf(error)}.`,
          todo: "Use a server in DATABASE_URL that accepts writes. It need not be the server of the backup."
        })
  yield* Effect.acquireRelease(Effect.mapError(slow`create database ${slow(name)} template template0`, refused), () =>
    Effect.ignore(slow`drop database if exists ${slow(name)} with (force)`)
  )
  const scratch = changedUrl(url, (one) => {
    one.pathname = `/${name}`
  })
  return { ...settings, database: { _tag: "Postgres" as const, url: Redacted.make(scratch ?? url) } }
})

/** Restores a dump (`pg_dump --format=custom`) to a temporary database on the configured server, while the scope is open. */
export const restoreDump = Effect.fnUntraced(function* (environment: Environment, settings: Settings, file: string) {
  if (settings.database._tag !== "Postgres") {
    return yield* new RestoreFailed({
      message: "DATABASE_URL is not set to a PostgreSQL server that the backup could be restored on.",
      todo: "Set it. A database is created next to the one that it names, and dropped afterwards. It need not be the server of the backup."
    })
  }
  const began = yield* Clock.currentTimeMillis
  const url = Redacted.value(settings.database.url)
  const restored = yield* scratchBeside(settings, url)
  yield* pgRestore(environment, file, Redacted.value(restored.database.url))
  return { settings: restored, millis: (yield* Clock.currentTimeMillis) - began }
}, Effect.provide(Entropy.layer))

/** Copies the folder of an embedded database while the scope is open, so that the original is not changed. */
export const copyFolder = Effect.fnUntraced(function* (settings: Settings, folder: string) {
  const from = resolve(folder)
  const began = yield* Clock.currentTimeMillis
  const to = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "sallyport-verify-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const lock = join(from, "lock")
  yield* Effect.try({
    try: () => cpSync(from, to, { recursive: true, filter: (path) => path !== lock }),
    catch: (cause) =>
      new RestoreFailed({
        message: `${from} can't be copied: ${cause instanceof Error ? cause.message : String(cause)}.`,
        todo: "Free space on the disk for temporary files (TMPDIR), or let this user read the folder."
      })
  })
  return {
    settings: { ...settings, database: { _tag: "Embedded" as const, dataDir: to }, dataDir: to },
    millis: (yield* Clock.currentTimeMillis) - began,
    /** Whether a service was using the folder when it was copied, or had been killed there. */
    hasLock: existsSync(lock)
  }
})

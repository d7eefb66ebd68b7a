import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { answering, withClient } from "../../bench/harness/Database.ts"
import { startPostgres } from "../../test/support/PostgresServer.ts"

/** A PostgreSQL that is stopped at once (as `pg_ctl stop -m immediate` does) and started again. */
export interface MortalPostgres {
  readonly url: string
  readonly version: string
  /** Stops it without a checkpoint and without a word to anybody. */
  readonly kill: () => Promise<void>
  /** Starts it again; done when it answers. */
  readonly start: () => Promise<void>
  /** Ends it for good and removes its files. */
  readonly remove: () => Promise<void>
}

/** The shell in between stops the server even when this process is killed. */
const guard = `"$@" </dev/null >>"$FOLDER/log" 2>&1 & server=$!; cat; kill -QUIT $server; wait $server`

/** Starts one, in a folder of its own, that keeps what it has acknowledged: with fsync and synchronous commits. */
export const startMortal = async (): Promise<MortalPostgres> => {
  const { url, stop } = await startPostgres()
  const version = await answering(url)
  const data = await withClient(url, async (client) => {
    const { rows } = await client.query<{ data_directory: string }>("show data_directory")
    return rows[0]?.data_directory ?? ""
  })
  const { uid, gid } = statSync(data)
  // The command as it was given, but careful with what it writes.
  const given = readFileSync(join(data, "postmaster.opts"), "utf8").trim().replaceAll('=off"', '=on"')
  const [binary = "", ...parameters] = given.split(/ (?=")/).map((part) => part.replace(/^"(.*)"$/, "$1"))
  const folder = dirname(data)
  const owner = process.getuid?.() === 0 ? { uid, gid } : {}
  let server: ChildProcess | undefined

  const start = async () => {
    const env = { ...process.env, FOLDER: folder }
    server = spawn("/bin/sh", ["-c", guard, "sh", binary, ...parameters], {
      ...owner,
      cwd: "/",
      env,
      detached: true,
      stdio: ["pipe", "ignore", "ignore"]
    })
    await answering(url, 10)
  }
  const kill = async () => {
    const ended = new Promise((resolve) => server?.once("exit", resolve))
    server?.stdin?.end()
    await ended
  }

  const pidFile = join(data, "postmaster.pid")
  process.kill(Number(readFileSync(pidFile, "utf8").split("\n")[0]), "SIGINT")
  while (existsSync(pidFile)) await new Promise((resolve) => setTimeout(resolve, 20))
  await start()
  return {
    url,
    version,
    kill,
    start,
    remove: async () => {
      await kill()
      await stop()
    }
  }
}

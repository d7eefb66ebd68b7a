import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { waitUntilReady, withClient } from "../../test/harness/Database.ts"
import { startPostgres } from "../../test/support/PostgresServer.ts"

/** The location and the start parameters of a server. */
export interface PostgresFiles {
  /** The folder of the data directory, the log and the local socket. */
  readonly folder: string
  readonly binary: string
  readonly parameters: ReadonlyArray<string>
  /** The user that runs the server if this process runs as root, because PostgreSQL doesn't run as root. */
  readonly owner: { readonly uid?: number; readonly gid?: number }
}

/** A PostgreSQL server that can be crashed (like `pg_ctl stop -m immediate`) and restarted. */
export interface CrashablePostgres {
  readonly url: string
  readonly version: string
  readonly files: PostgresFiles
  /** Stops the server without a checkpoint, and without closing connections first. */
  readonly kill: () => Promise<void>
  /** Stops the server with a checkpoint, like an operator. */
  readonly stop: () => Promise<void>
  /** Restarts the server and waits until it accepts connections. */
  readonly start: () => Promise<void>
  /** Stops the server and removes its files. */
  readonly remove: () => Promise<void>
}

/** A shell between this process and the server. It stops the server even if this process is killed. */
const guard = `"$@" </dev/null >>"$FOLDER/log" 2>&1 & server=$!; read -r how; kill -"\${how:-QUIT}" $server; wait $server`

/** Describes a server with an existing data directory, without starting it. */
export const crashableServer = (
  url: string,
  { folder, binary, parameters, owner }: PostgresFiles
): Pick<CrashablePostgres, "kill" | "start" | "stop"> => {
  let server: ChildProcess | undefined
  const end = async (signal: string) => {
    const running = server
    server = undefined
    if (running === undefined || running.exitCode !== null) return
    const ended = new Promise((resolve) => running.once("exit", resolve))
    running.stdin?.end(`${signal}\n`)
    await ended
  }
  return {
    start: async () => {
      const env = { ...process.env, FOLDER: folder }
      server = spawn("/bin/sh", ["-c", guard, "sh", binary, ...parameters], {
        ...owner,
        cwd: "/",
        env,
        detached: true,
        stdio: ["pipe", "ignore", "ignore"]
      })
      await waitUntilReady(url, 10)
    },
    kill: () => end("QUIT"),
    stop: () => end("INT")
  }
}

/** Starts a server in a new folder, with fsync and synchronous commits, so that no acknowledged write is lost. */
export const startCrashablePostgres = async (): Promise<CrashablePostgres> => {
  const { url, stop } = await startPostgres()
  const version = await waitUntilReady(url)
  const data = await withClient(url, async (client) => {
    const { rows } = await client.query<{ data_directory: string }>("show data_directory")
    return rows[0]?.data_directory ?? ""
  })
  const { uid, gid } = statSync(data)
  // The command line of the running server, with durability enabled.
  const given = readFileSync(join(data, "postmaster.opts"), "utf8").trim().replaceAll('=off"', '=on"')
  const [binary = "", ...parameters] = given.split(/ (?=")/).map((part) => part.replace(/^"(.*)"$/, "$1"))
  const owner = process.getuid?.() === 0 ? { uid, gid } : {}
  const files = { folder: dirname(data), binary, parameters, owner }
  const server = crashableServer(url, files)

  const pidFile = join(data, "postmaster.pid")
  process.kill(Number(readFileSync(pidFile, "utf8").split("\n")[0]), "SIGINT")
  while (existsSync(pidFile)) await new Promise((resolve) => setTimeout(resolve, 20))
  await server.start()
  return {
    ...server,
    url,
    version,
    files,
    remove: async () => {
      await server.kill()
      await stop()
    }
  }
}

import { spawn, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { freePort, ownerOf } from "./PostgresServer.ts"

/** A PgBouncer in transaction mode, in front of every database of a server. */
export interface PgBouncer {
  /** The same URL through PgBouncer. */
  readonly through: (url: string) => string
  readonly stop: () => Promise<void>
}

/** Returns whether this machine has PgBouncer. */
export const hasPgBouncer = (): boolean => spawnSync("pgbouncer", ["--version"]).status === 0

/** Starts a PgBouncer. `ignored` lists startup settings that it drops instead of rejecting. */
export const startPgBouncer = async (
  server: string,
  { ignored = [] }: { readonly ignored?: ReadonlyArray<string> } = {}
): Promise<PgBouncer> => {
  if (!hasPgBouncer()) throw new Error("PgBouncer is not on this machine: install it (apt install pgbouncer).")
  const folder = mkdtempSync(join(tmpdir(), "sallyport-pgbouncer-"))
  const owner = ownerOf(folder)
  const port = await freePort()
  const { hostname, port: serverPort, username, password } = new URL(server)
  const file = join(folder, "pgbouncer.ini")
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${serverPort} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 2000
default_pool_size = 10
server_idle_timeout = 5
ignore_startup_parameters = ${ignored.join(",")}
`
  )
  const process = spawn("pgbouncer", [file], { ...owner, cwd: "/", stdio: "ignore" })
  const ended = new Promise<void>((resolve) => process.once("exit", () => resolve()))
  while (!(await listens(port))) await setTimeout(20)
  return {
    through: (url) => {
      const other = new URL(url)
      other.host = `127.0.0.1:${port}`
      return other.href
    },
    stop: async () => {
      process.kill("SIGKILL")
      await ended
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

const listens = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false))
    socket.once("connect", () => socket.destroy())
  })

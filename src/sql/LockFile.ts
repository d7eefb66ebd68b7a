import { createHash } from "node:crypto"
import {
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync
} from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { DatabaseRefused } from "./DatabaseRefused.ts"

/**
 * The process that has locked a data folder. `place` is the scope in which `pid` is valid, and `start` distinguishes the
 * process from a later one with the same pid.
 */
interface Holder {
  readonly pid: number
  readonly start: string
  readonly place: string
  readonly token: string
}

// How often a process renews its lock, how long another process watches for that, and after how much time without a renewal
// the lock counts as abandoned.
const HEARTBEAT_MILLIS = 2_000
const WATCH_MILLIS = 10_000
const ABANDONED_AFTER_MILLIS = 60_000

/** Locks the data folder for this process until the scope closes. Fails while another process that has locked it is alive. */
export const hold = (folder: string) =>
  Effect.acquireRelease(Effect.tryPromise({ try: () => take(folder), catch: refusal(folder) }), (held) =>
    Effect.sync(held.release)
  )

const refusal = (folder: string) => (cause: unknown) =>
  cause instanceof DatabaseRefused
    ? cause
    : new DatabaseRefused({ reason: "Broken", message: `The data folder ${folder} cannot be used: ${String(cause)}.` })

const take = async (folder: string): Promise<{ readonly release: () => void }> => {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, "lock")
  const self = { pid: process.pid, start: startOf(process.pid), place }
  const token = createHash("sha256")
    .update(JSON.stringify([self, performance.now()]))
    .digest("hex")
    .slice(0, 16)
  const text = JSON.stringify({ ...self, token } satisfies Holder)
  const asidePath = `${path}.${token}`
  while (!create(path, text)) {
    const found = read(path)
    if (found === undefined) continue
    if (await isAlive(path, found, asidePath)) throw inUse(folder, found)
    remove(path, found, asidePath)
  }
  const heartbeat = setInterval(() => touch(path), HEARTBEAT_MILLIS).unref()
  const release = () => {
    clearInterval(heartbeat)
    remove(path, text, asidePath)
  }
  return { release }
}

const inUse = (folder: string, text: string) => {
  const holder = parse(text)
  const owner =
    holder === undefined
      ? "another process"
      : holder.pid === process.pid && holder.place === place
        ? `this process (pid ${holder.pid})`
        : `the process with pid ${holder.pid}${holder.place === place ? "" : " on another machine or in another container"}`
  const message = `The data folder ${folder} is in use by ${owner}: only one process can use it at a time.`
  return new DatabaseRefused({ reason: "InUse", message })
}

/**
 * Identifies where a pid is valid: one boot of a machine and one pid namespace, or just the machine if the system has
 * neither.
 */
const place = ((): string => {
  try {
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${readlinkSync("/proc/self/ns/pid")}`
  } catch {
    return hostname()
  }
})()

/** When a process started, in ticks since the boot, or an empty string if the system doesn't report it. */
const startOf = (pid: number): string => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    // A killed process has an entry until its parent reaps it.
    return fields[0] === "Z" ? "" : (fields[19] ?? "")
  } catch {
    return ""
  }
}

const isAlive = async (path: string, text: string, asidePath: string): Promise<boolean> => {
  const holder = parse(text)
  if (holder?.place === place) return exists(holder.pid) && startOf(holder.pid) === holder.start
  // The pid means nothing if the process runs in another place. Its heartbeat shows whether it is alive.
  const lastModified = modified(path)
  if (folderTime(asidePath) - lastModified > ABANDONED_AFTER_MILLIS) return false
  for (const end = performance.now() + WATCH_MILLIS; performance.now() < end; ) {
    await new Promise((resume) => setTimeout(resume, 200))
    if (read(path) !== text || modified(path) !== lastModified) return true
  }
  return false
}

const exists = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (cause) {
    return cause instanceof Error && "code" in cause && cause.code === "EPERM"
  }
}

const create = (path: string, text: string): boolean => {
  try {
    writeFileSync(path, text, { flag: "wx" })
    return true
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "EEXIST") return false
    throw cause
  }
}

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined
    throw cause
  }
}

const parse = (text: string): Holder | undefined => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const modified = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** The current time according to the clock that timestamps files in this folder. This may be a file server's clock. */
const folderTime = (asidePath: string): number => {
  writeFileSync(asidePath, "")
  const now = modified(asidePath)
  rmSync(asidePath, { force: true })
  return now
}

const touch = (path: string): void => {
  try {
    const file = openSync(path, "r+")
    writeSync(file, "{", 0)
    closeSync(file)
  } catch {
    // The folder is gone. The database will report that.
  }
}

/** Removes the lock if it contains `text`. It is moved aside first, so that only one of two processes can remove it. */
const remove = (path: string, text: string, asidePath: string): void => {
  try {
    renameSync(path, asidePath)
    if (read(asidePath) !== text) linkSync(asidePath, path)
  } catch {
    // Another process has already removed the lock.
  }
  rmSync(asidePath, { force: true })
}

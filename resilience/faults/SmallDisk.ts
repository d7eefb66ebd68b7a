import { spawnSync } from "node:child_process"
import { closeSync, cpSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"
import { type CrashablePostgres, startCrashablePostgres } from "../chaos/CrashablePostgres.ts"
import { NotPossibleHere } from "./Scenario.ts"

/** A PostgreSQL server whose tables are on a separate disk that can be filled. Its transaction log is elsewhere. */
export interface SmallDisk {
  readonly postgres: CrashablePostgres
  /** Fills the disk with a file. Returns the file's size in bytes. */
  readonly fill: () => number
  /** Frees the space again. */
  readonly clear: () => void
  readonly remove: () => Promise<void>
}

const run = (command: string, words: ReadonlyArray<string>) => {
  const { status, stderr, error } = spawnSync(command, words, { encoding: "utf8" })
  if (status !== 0) throw new NotPossibleHere(`${command} ${words[0]}: ${error?.message ?? stderr.trim()}`)
}

const BLOCK = 4_096

/** Writes zeros until the disk is full, first in large pieces and finally one memory page at a time. */
const fillUp = (file: string): number => {
  const handle = openSync(file, "w")
  let bytes = 0
  try {
    for (const size of [256 * BLOCK, BLOCK]) {
      try {
        for (;;) bytes += writeSync(handle, Buffer.alloc(size))
      } catch {
        // There is no room for a piece of this size.
      }
    }
  } finally {
    closeSync(handle)
  }
  return bytes
}

/** Starts a server on a tmpfs of this many MiB. Only root may mount one. */
export const startOnSmallDisk = async (mebibytes: number): Promise<SmallDisk> => {
  if (process.getuid?.() !== 0) throw new NotPossibleHere("Only root can mount a small disk (tmpfs).")
  const postgres = await startCrashablePostgres()
  const { folder, owner } = postgres.files
  const [data, before] = [join(folder, "data"), join(folder, "before")]
  const unmount = () => spawnSync("umount", ["--lazy", data])
  const remove = async () => {
    await postgres.kill()
    unmount()
    await postgres.remove()
  }
  try {
    await postgres.stop()
    renameSync(data, before)
    mkdirSync(data)
    const mode = `size=${mebibytes}m,mode=700,uid=${owner.uid},gid=${owner.gid}`
    run("mount", ["-t", "tmpfs", "-o", mode, "tmpfs", data])
    process.once("exit", unmount)
    renameSync(join(before, "pg_wal"), join(folder, "pg_wal"))
    cpSync(before, data, { recursive: true, preserveTimestamps: true })
    rmSync(before, { recursive: true })
    run("ln", ["-s", join(folder, "pg_wal"), join(data, "pg_wal")])
    run("chown", ["-R", "-h", `${owner.uid}:${owner.gid}`, data])
    await postgres.start()
  } catch (error) {
    await remove()
    throw error
  }
  const filler = join(data, "filler")
  return { postgres, fill: () => fillUp(filler), clear: () => rmSync(filler, { force: true }), remove }
}

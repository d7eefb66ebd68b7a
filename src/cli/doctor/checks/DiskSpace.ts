import { existsSync, statfsSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { Effect } from "effect"
import { type Finding, ok, problem, warning } from "../Finding.ts"
import type { Check } from "../Subject.ts"

const MIB = 1_048_576

/** The free space, in MiB, below which this warns, and below which writes will soon fail. */
const LOW_MIB = 1_024
const CRITICAL_MIB = 100

export const diskFinding = (folder: string, freeBytes: number): Finding => {
  const free = freeBytes / MIB
  const says = `${free < LOW_MIB ? `${Math.floor(free)} MiB` : `${(free / 1_024).toFixed(1)} GiB`} are free on the disk of ${folder}.`
  const todo = "Free up disk space, or stop the service and move the folder (SALLYPORT_DATA_DIR)."
  if (free < CRITICAL_MIB) return problem(says, todo)
  return free < LOW_MIB ? warning(says, todo) : ok(says)
}

const nearest = (folder: string): string => (existsSync(folder) ? folder : nearest(dirname(folder)))

/** Checks whether the embedded database's disk has enough free space. */
export const diskSpace: Check = {
  name: "disk",
  place: "settings",
  run: ({ settings: { database } }) =>
    Effect.sync(() => {
      if (database._tag !== "Embedded") return []
      const folder = resolve(database.dataDir)
      const { bavail, bsize } = statfsSync(nearest(folder))
      return diskFinding(folder, bavail * bsize)
    })
}

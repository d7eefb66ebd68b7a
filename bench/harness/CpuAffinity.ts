import { spawnSync } from "node:child_process"
import { availableParallelism } from "node:os"

/** How many cores the machine lets this process use, before it is moved. */
export const cores = availableParallelism()
const available = spawnSync("taskset", ["--version"]).status === 0

/** Where each part of the bench runs; undefined: wherever the machine likes. */
export const placement =
  available && cores > 1
    ? { server: "0", load: "1", database: cores === 2 ? "1" : `2-${cores - 1}` }
    : { server: undefined, load: undefined, database: undefined }

/** What a reader of the figures needs to know about it. */
export const placementInWords =
  placement.server === undefined
    ? "not pinned: taskset or a second core is missing, so the server, the load and PostgreSQL disturb each other"
    : `server on core ${placement.server}, load on core ${placement.load}, PostgreSQL on core ${placement.database}`

/** Keeps this process, and those it starts from now on, to some cores. */
export const moveTo = (list: string | undefined): void => {
  if (list !== undefined) spawnSync("taskset", ["-a", "-p", "-c", list, String(process.pid)])
}

/** The command that runs another on the server's core. */
export const onServerCore = (command: string, parameters: ReadonlyArray<string>): [string, Array<string>] =>
  placement.server === undefined
    ? [command, [...parameters]]
    : ["taskset", ["-c", placement.server, command, ...parameters]]

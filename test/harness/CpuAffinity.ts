import { spawnSync } from "node:child_process"
import { availableParallelism } from "node:os"

/** The number of cores available to this process before it is pinned. */
export const cores = availableParallelism()
const available = spawnSync("taskset", ["--version"]).status === 0

/** The core to which each part of the benchmark is pinned, or undefined if it isn't pinned. */
export const placement =
  available && cores > 1
    ? { server: "0", load: "1", database: cores === 2 ? "1" : `2-${cores - 1}` }
    : { server: undefined, load: undefined, database: undefined }

/** A description of the placement for the report. */
export const placementDescription =
  placement.server === undefined
    ? "not pinned: taskset or a second core is missing, so the server, the load and PostgreSQL compete"
    : `server on core ${placement.server}, load on core ${placement.load}, PostgreSQL on core ${placement.database}`

/** Every core, as a list for `pinProcess`. */
export const everyCore = available ? `0-${cores - 1}` : undefined

/** Pins a process (by default this one), and all processes it starts from now on, to a list of cores. */
export const pinProcess = (list: string | undefined, pid = process.pid): void => {
  if (list !== undefined) spawnSync("taskset", ["-a", "-p", "-c", list, String(pid)])
}

/** Wraps a command so that it runs on the server's core. */
export const onServerCpu = (command: string, parameters: ReadonlyArray<string>): [string, Array<string>] =>
  placement.server === undefined
    ? [command, [...parameters]]
    : ["taskset", ["-c", placement.server, command, ...parameters]]

/** Wraps a command so that it runs on every core. */
export const onEveryCpu = (command: string, parameters: ReadonlyArray<string>): [string, Array<string>] =>
  everyCore === undefined ? [command, [...parameters]] : ["taskset", ["-c", everyCore, command, ...parameters]]

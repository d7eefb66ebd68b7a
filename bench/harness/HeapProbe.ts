import { existsSync, readFileSync, rmSync } from "node:fs"
import type { Server } from "../../test/harness/Servers.ts"

const wait = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/** The time limit for a process to report its live heap, in milliseconds. */
const PATIENCE = 20_000

/** The live heap of a process in MiB. */
export const liveHeap = async ({ pid }: Server, file: string): Promise<number> => {
  rmSync(file, { force: true })
  process.kill(pid, "SIGUSR2")
  for (const from = performance.now(); !existsSync(file) || readFileSync(file, "utf8") === ""; await wait(20)) {
    if (performance.now() - from > PATIENCE) throw new Error("The process did not report its live heap.")
  }
  return Number(readFileSync(file, "utf8")) / 2 ** 20
}

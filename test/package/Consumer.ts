import { execFile } from "node:child_process"
import { cpSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { inject } from "vitest"

const execute = promisify(execFile)

/** The folder in which both packages and Effect are installed. */
export const installed = inject("installed")

/** The folder in which only the client is installed. */
export const clientAlone = inject("clientAlone")

/** A Node release that is too old for the service and the test kit, but not for the client. */
export const oldNode = inject("oldNode")

/** A program's exit code and output. */
export interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Programs in Go, such as the compiler, use a third less CPU time without garbage collection. */
const uncollected = { GOGC: "off", GOMEMLIMIT: "3GiB" }

/** Runs a program to its end. */
export const run = async (folder: string, program: string, ...words: ReadonlyArray<string>): Promise<Ended> => {
  const env = { PATH: process.env["PATH"], HOME: process.env["HOME"], NO_COLOR: "1", ...uncollected }
  try {
    const { stdout, stderr } = await execute(program, words, { cwd: folder, env, timeout: 150_000 })
    return { code: 0, out: stdout, err: stderr }
  } catch (cause) {
    if (!(cause instanceof Error && "stdout" in cause && "stderr" in cause && "code" in cause)) throw cause
    return { code: Number(cause.code ?? -1), out: String(cause.stdout), err: String(cause.stderr) }
  }
}

/** Runs a script or tool with the current Node. */
export const node = (folder: string, ...words: ReadonlyArray<string>): Promise<Ended> =>
  run(folder, process.execPath, ...words)

/** The path of a tool that a project uses. */
export const tool = (path: string): string => join(installed, "../node_modules", path)

/** Copies a project from the folder `projects` to where the packages are installed. Returns the copy's folder. */
export const project = (name: string): string => {
  const folder = join(installed, name)
  cpSync(join(import.meta.dirname, "projects", name), folder, { recursive: true })
  return folder
}

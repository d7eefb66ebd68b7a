import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { poolerEnvironment } from "../support/databases.ts"
import { bundle } from "./Bundle.ts"

/** A service in a process of its own. */
export interface Running {
  readonly process: ChildProcess
  readonly url: string
  /** What it printed so far. */
  readonly output: () => string
  /** Ends it with a signal; the exit code. */
  readonly stop: (signal: NodeJS.Signals) => Promise<number | null>
}

/** The folder of the repository. */
export const root = new URL("../../", import.meta.url).pathname

/** What `npm start` runs where there is no bundle of this very source. */
export const source = `${root}src/cli/main.ts`

/** The command `npm start` itself, which is then the process that gets the signals. */
export const npmStart = "npm start"

/**
 * The embedded database is WebAssembly, which V8 compiles a second time, for speed, while it runs, and a heap that grows from
 * nothing is collected several times. No process of a test lives long enough to gain by that what it takes: a third of its start.
 */
export const flags = ["--liftoff-only", "--initial-old-space-size=512"]

/**
 * The same for a service from the bundle, whose compiled code its first process keeps for all others of a run. That is only the code
 * which runs at once, unless all functions are compiled with it: what a process calls later, it would compile anew. A command ends
 * before it gains anything by that, and by any flag it loses the compiled code of Node's own modules.
 */
export const bundleFlags = [...flags, "--no-lazy"]

/**
 * How many connections a process keeps for requests. The server starts a process for each, and prepares each statement anew in it,
 * so that only those tests have the default of ten whose callers come at once: `manyConnections`.
 */
const fewConnections = { SALLYPORT_DATABASE_POOL_SIZE: "4" }

/** As many connections as a process has by default. */
export const manyConnections = { SALLYPORT_DATABASE_POOL_SIZE: "10" }

/** What a process printed, without the lines of its log that say how slow the machine is at the moment. */
export const withoutSlowRequests = (output: string): string =>
  output.replaceAll(/^\{.*"message":"A request took longer than 1 second\.".*\n/gm, "")

/** Starts a program, and waits for nothing. */
export const launch = (
  file: string,
  environment: Readonly<Record<string, string>>,
  ...words: ReadonlyArray<string>
) => {
  const { PATH = "", HOME = "" } = process.env
  const own = file.endsWith(".ts") ? flags : words.length === 0 || words[0] === "serve" ? bundleFlags : []
  const [program, given] = file === npmStart ? ["npm", ["start"]] : [process.execPath, [...own, file, ...words]]
  const pool = environment["DATABASE_URL"]?.startsWith("postgres:") ? fewConnections : {}
  const child = spawn(program, given, {
    cwd: root,
    env: { PATH, HOME, PORT: "0", SALLYPORT_LIMITS: "off", ...pool, ...poolerEnvironment(), ...environment }
  })
  let output = ""
  child.stdout.on("data", (chunk) => (output += chunk))
  child.stderr.on("data", (chunk) => (output += chunk))
  return { child, output: () => output }
}

/** Runs a command, or a service that is expected to give up: its exit code and what it printed. */
export const runToEnd = async (environment: Readonly<Record<string, string>>, ...words: ReadonlyArray<string>) => {
  const { child, output } = launch(await bundle(), environment, ...words)
  await once(child, "close")
  return { code: child.exitCode, output: output() }
}

/** Starts a service, from the bundle unless another file or `npmStart` is given, and waits for what it prints at its start. */
export const start = async (
  environment: Readonly<Record<string, string>>,
  file?: string,
  ...words: ReadonlyArray<string>
): Promise<Running> => {
  const { child, output } = launch(file ?? (await bundle()), environment, ...words)
  await new Promise<void>((resolve, reject) => {
    child.stdout.on("data", () => /Sallyport is ready[^]*Mail: .*\n|^\{"url":.*\n/m.test(output()) && resolve())
    child.once("close", () => reject(new Error(`The service ended: ${output()}`)))
  })
  const url = /(?:ready at |^\{"url":")([^"\s]+)/m.exec(output())?.[1] ?? ""
  return {
    process: child,
    url,
    output,
    stop: async (signal) => {
      const closed = once(child, "close")
      child.kill(signal)
      await closed
      return child.exitCode
    }
  }
}

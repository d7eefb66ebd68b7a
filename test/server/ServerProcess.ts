import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { poolerEnvironment } from "../support/databases.ts"
import { bundle } from "./Bundle.ts"

/** A service running in a separate process. */
export interface Running {
  readonly process: ChildProcess
  readonly url: string
  /** The output so far. */
  readonly output: () => string
  /** Stops the process with a signal and returns its exit code. */
  readonly stop: (signal: NodeJS.Signals) => Promise<number | null>
}

/** The repository's root folder. */
export const root = new URL("../../", import.meta.url).pathname

/** The file that `npm start` runs if no bundle of the current source exists. */
export const source = `${root}src/cli/main.ts`

/** Starts the service with `npm start` itself, so that npm is the process that receives the signals. */
export const npmStart = "npm start"

/**
 * V8 compiles the embedded database's WebAssembly a second time, optimized, while it runs, and collects a heap that
 * starts empty several times. Both take a third of the start, and no test process lives long enough to benefit.
 */
export const flags = ["--liftoff-only", "--initial-old-space-size=512"]

/**
 * The same flags for a service from the bundle. Its first process caches the compiled code for all other processes of a
 * run. Without `--no-lazy`, the cache contains only the code that runs at the start, and each process compiles the rest
 * again. A command ends before it could benefit, and any flag costs it the compiled code of Node's own modules.
 */
export const bundleFlags = [...flags, "--no-lazy"]

/**
 * The number of connections a process has for requests. PostgreSQL starts a process for each connection and prepares
 * each statement again in it, so only tests with concurrent callers use the default of ten (`manyConnections`).
 */
const fewConnections = { SALLYPORT_DATABASE_POOL_SIZE: "4" }

/** The default number of connections. */
export const manyConnections = { SALLYPORT_DATABASE_POOL_SIZE: "10" }

/** The output of a process without the log lines about slow requests, which depend on the machine's load. */
export const withoutSlowRequests = (output: string): string =>
  output.replaceAll(/^\{.*"message":"A request took longer than 1 second\.".*\n/gm, "")

/** Starts a program without waiting for anything. Without `given` words, it runs the service. */
export const launch = (
  file: string,
  environment: Readonly<Record<string, string>>,
  ...given: ReadonlyArray<string>
) => {
  const words = given.length === 0 ? ["serve"] : given
  const { PATH = "", HOME = "" } = process.env
  const own = file.endsWith(".ts") ? flags : words[0] === "serve" ? bundleFlags : []
  const [program, options] = file === npmStart ? ["npm", ["start"]] : [process.execPath, [...own, file, ...words]]
  const pool = environment["DATABASE_URL"]?.startsWith("postgres:") ? fewConnections : {}
  const child = spawn(program, options, {
    cwd: root,
    env: { PATH, HOME, PORT: "0", SALLYPORT_LIMITS: "off", ...pool, ...poolerEnvironment(), ...environment }
  })
  let output = ""
  child.stdout.on("data", (chunk) => (output += chunk))
  child.stderr.on("data", (chunk) => (output += chunk))
  return { child, output: () => output }
}

/** Runs a command, or a service that is expected to fail, and returns its exit code and output. */
export const runToEnd = async (environment: Readonly<Record<string, string>>, ...words: ReadonlyArray<string>) => {
  const { child, output } = launch(await bundle(), environment, ...words)
  await once(child, "close")
  return { code: child.exitCode, output: output() }
}

/** Starts a service and waits for its start message. Runs the bundle unless another file or `npmStart` is given. */
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

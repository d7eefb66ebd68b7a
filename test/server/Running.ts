import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"

/** A service in a process of its own, as `npm start` runs it. */
export interface Running {
  readonly process: ChildProcess
  readonly url: string
  /** What it printed so far. */
  readonly output: () => string
  /** Ends it with a signal; the exit code. */
  readonly stop: (signal: NodeJS.Signals) => Promise<number | null>
}

const source = new URL("../../src/server/main.ts", import.meta.url).pathname

const launch = (environment: Readonly<Record<string, string>>) => {
  const { PATH = "", HOME = "" } = process.env
  const child = spawn(process.execPath, [source], { env: { PATH, HOME, PORT: "0", ...environment } })
  let output = ""
  child.stdout.on("data", (chunk) => (output += chunk))
  child.stderr.on("data", (chunk) => (output += chunk))
  return { child, output: () => output }
}

/** Runs a service that is expected to give up: its exit code and what it printed. */
export const runToEnd = async (environment: Readonly<Record<string, string>>) => {
  const { child, output } = launch(environment)
  await once(child, "close")
  return { code: child.exitCode, output: output() }
}

/** Starts a service and waits for its banner. */
export const start = async (environment: Readonly<Record<string, string>>): Promise<Running> => {
  const { child, output } = launch(environment)
  await new Promise<void>((resolve, reject) => {
    child.stdout.on("data", () => output().includes("Make a realm") && resolve())
    child.once("close", () => reject(new Error(`The service ended: ${output()}`)))
  })
  const url = /ready at (\S+)/.exec(output())?.[1] ?? ""
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

import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createWriteStream, readFileSync } from "node:fs"
import { get } from "node:http"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { freePort } from "../../test/harness/Servers.ts"

/** The time limit for a node to become ready, in milliseconds. */
const PATIENCE = 60_000

/** A node of the service, whose port stays the same across processes. */
export interface Node {
  readonly port: number
  /** Starts a release and waits until the node is ready. Returns the duration in milliseconds. */
  readonly start: (file: string) => Promise<number>
  /**
   * Stops the node like a supervisor, and waits until it exits. Returns the duration in milliseconds and the exit code.
   */
  readonly stop: () => Promise<{ readonly millis: number; readonly code: number | null }>
}

const isReady = (port: number) =>
  new Promise<boolean>((resolve) => {
    get({ host: "127.0.0.1", port, path: "/readyz", agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    }).once("error", () => resolve(false))
  })

/** Creates a node without starting it. `folder`: the folder for its log. */
export const makeNode = async (
  name: string,
  environment: Readonly<Record<string, string>>,
  folder: string
): Promise<Node> => {
  const port = await freePort()
  const path = join(folder, `${name}.log`)
  const log = createWriteStream(path)
  let running: ChildProcess | undefined

  const start = async (file: string) => {
    const began = performance.now()
    const { PATH = "", HOME = "" } = process.env
    const env = { PATH, HOME, HOST: "127.0.0.1", PORT: String(port), ...environment }
    const child = spawn(process.execPath, [file, "serve"], { env, stdio: ["ignore", "pipe", "pipe"] })
    running = child
    child.stdout.pipe(log, { end: false })
    child.stderr.pipe(log, { end: false })
    while (!(await isReady(port))) {
      if (child.exitCode !== null || performance.now() - began > PATIENCE) {
        const [last = "It printed nothing."] = readFileSync(path, "utf8").trim().split("\n").slice(-1)
        throw new Error(`${name} does not start: ${last} Its log is ${path}.`)
      }
      await setTimeout(20)
    }
    return performance.now() - began
  }

  const stop = async () => {
    const began = performance.now()
    const child = running
    running = undefined
    if (child === undefined || child.exitCode !== null) return { millis: 0, code: child?.exitCode ?? null }
    const closed = once(child, "close")
    child.kill("SIGTERM")
    await closed
    return { millis: performance.now() - began, code: child.exitCode }
  }

  process.once("exit", () => running?.kill("SIGKILL"))
  return { port, start, stop }
}

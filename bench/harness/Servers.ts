import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { get } from "node:http"
import { createServer } from "node:net"
import { onServerCpu } from "./CpuAffinity.ts"

/** A server process under measurement. */
export interface Server {
  readonly name: string
  readonly port: number
  readonly pid: number
  /** When the process was started, on the scale of `performance.now()`. */
  readonly startedAt: number
  readonly stop: (signal: NodeJS.Signals) => Promise<void>
}

/** A program to start as a server. */
export interface Program {
  readonly name: string
  readonly file: string
  readonly environment: Readonly<Record<string, string>>
}

/** Finds a free port. */
export const freePort = (): Promise<number> =>
  new Promise<number>((resolve, reject) => {
    const probe = createServer().once("error", reject)
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

const running = new Set<ChildProcess>()

/** Kills every server that is still running. */
export const stopAll = (): void => running.forEach((child) => child.kill("SIGKILL"))
process.once("exit", stopAll)

/** Starts a program on the server's core. The returned server does not accept requests yet. */
export const start = async ({ name, file, environment }: Program): Promise<Server> => {
  const port = await freePort()
  const { PATH = "", HOME = "" } = process.env
  const [command, parameters] = onServerCpu(process.execPath, [file])
  const env = { PATH, HOME, HOST: "127.0.0.1", PORT: String(port), ...environment }
  const startedAt = performance.now()
  const child: ChildProcess = spawn(command, parameters, { env, stdio: ["ignore", "ignore", "pipe"] })
  child.stderr?.on("data", (chunk: Buffer) => process.stderr.write(`[${name}] ${chunk.toString()}`))
  const { pid } = child
  if (pid === undefined) throw new Error(`${name} can't be started`)
  const closed = once(child, "close")
  running.add(child)
  child.once("close", () => running.delete(child))
  return {
    name,
    port,
    pid,
    startedAt,
    stop: async (signal) => {
      child.kill(signal)
      await closed
    }
  }
}

const status = (port: number, path: string, headers: Readonly<Record<string, string>>) =>
  new Promise<number | undefined>((resolve) => {
    get({ host: "127.0.0.1", port, path, headers, agent: false }, (response) => {
      response.resume()
      response.once("end", () => resolve(response.statusCode))
    }).once("error", () => resolve(undefined))
  })

/** Waits for the first 200 at a path. Returns the milliseconds since the process was started. */
export const timeToFirstResponse = async (server: Server, path: string, key?: string): Promise<number> => {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
  while (performance.now() - server.startedAt < 60_000) {
    if ((await status(server.port, path, headers)) === 200) return performance.now() - server.startedAt
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  throw new Error(`${server.name} did not answer ${path} within a minute`)
}

const ticksPerSecond = Number(spawnSync("getconf", ["CLK_TCK"], { encoding: "utf8" }).stdout) || 100

/** The CPU time that all threads of a process have used so far, in seconds. */
export const cpuSeconds = ({ pid }: Server): number => {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8")
  const [utime = 0, stime = 0] = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13)
    .map(Number)
  return (utime + stime) / ticksPerSecond
}

/** Resident memory now and at its peak, in MiB. */
export const memory = ({ pid }: Server): { readonly resident: number; readonly peak: number } => {
  const text = readFileSync(`/proc/${pid}/status`, "utf8")
  const mebibytes = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)?.[1]) / 1_024)
  return { resident: mebibytes("VmRSS"), peak: mebibytes("VmHWM") }
}

import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { readdirSync, readFileSync } from "node:fs"
import { get } from "node:http"
import { createServer } from "node:net"
import { onEveryCpu, onServerCpu } from "./CpuAffinity.ts"

const root = new URL("../..", import.meta.url).pathname

/** A server process being measured. */
export interface Server {
  readonly name: string
  readonly port: number
  readonly pid: number
  /** The start time of the process, in the time of `performance.now()`. */
  readonly startedAt: number
  readonly hasEnded: () => boolean
  readonly stop: (signal: NodeJS.Signals) => Promise<void>
}

/** A program to start as a server. */
export interface Program {
  readonly name: string
  readonly file: string
  readonly environment: Readonly<Record<string, string>>
  /** Flags for Node. */
  readonly flags?: ReadonlyArray<string>
  /** The command to run instead of Node and the file, in the root of the repository. */
  readonly command?: readonly [command: string, ...parameters: ReadonlyArray<string>]
  /** Whether the process may use every core. Otherwise it runs on the server's core. */
  readonly usesAllCores?: boolean
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

/** The process and its descendants, the process first. */
const processTree = (pid: number): ReadonlyArray<number> => {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const children = threads.flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number)
    )
    return [pid, ...children.flatMap(processTree)]
  } catch {
    return [pid]
  }
}

const killTree = (pid: number | undefined): void => {
  for (const each of pid === undefined ? [] : processTree(pid)) {
    try {
      process.kill(each, "SIGKILL")
    } catch {
      // The process has already ended.
    }
  }
}

/** Kills every server that is still running. */
export const stopAll = (): void => running.forEach(({ pid }) => killTree(pid))
process.once("exit", stopAll)

/** Starts a program on the server's core. The returned server does not accept requests yet. */
export const start = async (program: Program): Promise<Server> => {
  const { name, file, environment, flags = [], usesAllCores = false } = program
  const port = await freePort()
  const { PATH = "", HOME = "" } = process.env
  const [asked, ...given] = program.command ?? [process.execPath, ...flags, file, "serve"]
  const [command, parameters] = usesAllCores ? onEveryCpu(asked, given) : onServerCpu(asked, given)
  const env = { PATH, HOME, HOST: "127.0.0.1", PORT: String(port), ...environment }
  const startedAt = performance.now()
  const child: ChildProcess = spawn(command, parameters, { cwd: root, env, stdio: ["ignore", "ignore", "pipe"] })
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
    hasEnded: () => !running.has(child),
    stop: async (signal) => {
      if (signal === "SIGKILL") killTree(pid)
      else child.kill(signal)
      await closed
    }
  }
}

/**
 * The maximum duration of a request that checks whether a server has started. A request sent too early may never get a
 * response.
 */
const PATIENCE = 1_000

const status = (port: number, path: string, headers: Readonly<Record<string, string>>) =>
  new Promise<number | undefined>((resolve) => {
    const asked = get({ host: "127.0.0.1", port, path, headers, agent: false, timeout: PATIENCE }, (response) => {
      response.resume()
      response.once("end", () => resolve(response.statusCode))
    })
    asked.once("timeout", () => asked.destroy(new Error("no response in time")))
    asked.once("error", () => resolve(undefined))
  })

/** Waits for the first 200 at a path. Returns the milliseconds since the process was started. */
export const timeToFirstResponse = async (server: Server, path: string, key?: string): Promise<number> => {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
  while (performance.now() - server.startedAt < 60_000) {
    if (server.hasEnded()) throw new Error(`${server.name} has ended`)
    if ((await status(server.port, path, headers)) === 200) return performance.now() - server.startedAt
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  throw new Error(`${server.name} did not respond to ${path} within a minute`)
}

const ticksPerSecond = Number(spawnSync("getconf", ["CLK_TCK"], { encoding: "utf8" }).stdout) || 100

const secondsIn = (stat: string): number => {
  const [utime = 0, stime = 0] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13)
    .map(Number)
  return (utime + stime) / ticksPerSecond
}

/** The total time and idle time of all cores so far, in seconds. */
export const machineSeconds = (): { readonly all: number; readonly idle: number } => {
  const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n")
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number)
  const [, , , idle = 0, waiting = 0] = ticks
  return { all: sum(ticks) / ticksPerSecond, idle: (idle + waiting) / ticksPerSecond }
}

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((all, each) => all + each, 0)

/** The CPU time of all threads of a server and its workers so far, in seconds. */
export const cpuSeconds = ({ pid }: Pick<Server, "pid">): number =>
  sum(processTree(pid).map((each) => secondsIn(readFileSync(`/proc/${each}/stat`, "utf8"))))

/** The CPU time of the threads of a server and its workers, in seconds: main threads, hashing threads, and all others. */
export interface ThreadSeconds {
  readonly main: number
  /** The threads for blocking work, which compute password hashes. */
  readonly hashing: number
  /** Threads for compilation and garbage collection. */
  readonly other: number
}

/** The CPU time of a server's threads so far. */
export const threadSeconds = ({ pid }: Server): ThreadSeconds => {
  const threads = processTree(pid).flatMap((each) =>
    readdirSync(`/proc/${each}/task`).map((thread) => {
      const stat = readFileSync(`/proc/${each}/task/${thread}/stat`, "utf8")
      const kind = stat.includes("(libuv-worker)") ? "hashing" : thread === String(each) ? "main" : "other"
      return { kind, seconds: secondsIn(stat) }
    })
  )
  const of = (kind: string) => sum(threads.map((thread) => (thread.kind === kind ? thread.seconds : 0)))
  return { main: of("main"), hashing: of("hashing"), other: of("other") }
}

/** The CPU time of the hashing threads. */
export const hashingSeconds = (server: Server): number => threadSeconds(server).hashing

/** The number of times that the main threads of a server and its workers have waited for work. */
export const wakeUps = ({ pid }: Server): number =>
  sum(
    processTree(pid).map((each) =>
      Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(readFileSync(`/proc/${each}/status`, "utf8"))?.[1])
    )
  )

/** The current and peak resident memory of a server and its workers, in MiB. */
export const memory = ({ pid }: Server): { readonly resident: number; readonly peak: number } => {
  const texts = processTree(pid).map((each) => readFileSync(`/proc/${each}/status`, "utf8"))
  const mebibytes = (name: string) =>
    Math.round(sum(texts.map((text) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)?.[1]) / 1_024)))
  return { resident: mebibytes("VmRSS"), peak: mebibytes("VmHWM") }
}

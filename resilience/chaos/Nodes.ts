import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { join } from "node:path"
import { freePort } from "../../test/harness/Servers.ts"

/** The service's processes. A restarted process gets the same port. */
export interface Nodes {
  readonly ports: ReadonlyArray<number>
  /** Kills a process with SIGKILL and restarts it immediately. */
  readonly kill: (index: number) => Promise<void>
  /** Returns the exits that this run did not cause, of processes that had been ready. */
  readonly unexpectedExits: () => ReadonlyArray<string>
  readonly stop: () => Promise<void>
}

/** The pause before another attempt to start a process that failed because its database was down, in milliseconds. */
const PAUSE = 200

/** The maximum duration of the first start in milliseconds. */
const STARTED = 60_000

/** Starts processes, and restarts those that exit. Each process logs to its own file. */
export const startNodes = async (
  count: number,
  file: string,
  environment: Readonly<Record<string, string>>,
  folder: string
): Promise<Nodes> => {
  const ports = await Promise.all(Array.from({ length: count }, freePort))
  const logs = ports.map((_, index) => createWriteStream(join(folder, `node-${index}.log`)))
  const running: Array<ChildProcess | undefined> = []
  const killed = new Set<ChildProcess>()
  const unexpectedExits: Array<string> = []
  let stopping = false

  const begin = (index: number): Promise<void> =>
    new Promise((ready) => {
      const { PATH = "", HOME = "" } = process.env
      const env = { PATH, HOME, HOST: "127.0.0.1", PORT: String(ports[index]), ...environment }
      const child = spawn(process.execPath, [file, "serve"], { env, stdio: ["ignore", "pipe", "pipe"] })
      running[index] = child
      let output = ""
      child.stdout.on("data", (chunk: Buffer) => {
        output += chunk.toString()
        if (output.includes("ready at")) ready()
      })
      child.stderr.on("data", (chunk: Buffer) => logs[index]?.write(chunk))
      child.once("close", (code, signal) => {
        running[index] = undefined
        if (stopping || killed.delete(child)) return ready()
        if (output.includes("ready at")) unexpectedExits.push(`process ${index} exited on its own: ${signal ?? code}`)
        setTimeout(() => (stopping ? ready() : void begin(index).then(ready)), PAUSE)
      })
    })

  const end = async (child: ChildProcess | undefined) => {
    if (child === undefined) return
    const closed = once(child, "close")
    killed.add(child)
    child.kill("SIGKILL")
    await closed
  }

  const stop = async () => {
    stopping = true
    await Promise.all(running.map(end))
    logs.forEach((log) => log.end())
  }

  process.once("exit", () => running.forEach((child) => child?.kill("SIGKILL")))
  const tooLate = new Promise<never>((_, reject) =>
    setTimeout(() => reject(new Error(`The service does not start; its logs are in ${folder}.`)), STARTED).unref()
  )
  await Promise.race([Promise.all(ports.map((_, index) => begin(index))), tooLate]).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return {
    ports,
    kill: async (index) => {
      // While the database is down, a process may be between two starts.
      while (running[index] === undefined) await new Promise((resolve) => setTimeout(resolve, 20))
      await end(running[index])
      void begin(index)
    },
    unexpectedExits: () => unexpectedExits,
    stop
  }
}

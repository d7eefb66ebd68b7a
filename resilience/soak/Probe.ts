import { readdirSync } from "node:fs"
import { createServer } from "node:net"
import { queryObjects, setFlagsFromString, writeHeapSnapshot } from "node:v8"
import { runInNewContext } from "node:vm"
import { isMainThread } from "node:worker_threads"

// Loaded into the service before everything else (`--import`). Whoever connects to the socket SOAK_PROBE gets what the process holds
// after a garbage collection, as JSON; whoever sends the name of a file first, gets a snapshot of the heap there as well.

/** What a process holds after a garbage collection. */
export interface Held {
  /** Bytes of live objects, and of the buffers outside the heap that they keep. */
  readonly live: number
  readonly resident: number
  /** What keeps the process running, by kind: sockets, timers, servers. */
  readonly handles: Readonly<Record<string, number>>
  /** Open files, sockets included. */
  readonly files: number
  /** Fibers in memory. */
  readonly fibers: number
  /** Seconds of processor time so far, of all threads. */
  readonly cpu: number
}

const { SOAK_PROBE = "" } = process.env

/** The class of fibers, which is that of the first one to run. Where Effect keeps the fiber that runs is public: tracers read it. */
const CURRENT_FIBER = "~effect/Fiber/currentFiber"
let fiberClass: object | undefined

const noteFirstFiber = () =>
  Object.defineProperty(globalThis, CURRENT_FIBER, {
    configurable: true,
    get: () => undefined,
    set: (fiber: object | undefined) => {
      if (fiber === undefined) return
      fiberClass = fiber.constructor
      Object.defineProperty(globalThis, CURRENT_FIBER, { value: fiber, writable: true, configurable: true })
    }
  })

const held = (): Held => {
  setFlagsFromString("--expose-gc")
  const collect: () => void = runInNewContext("gc")
  // Finalizers run by the first collection let go of what the second collects.
  collect()
  collect()
  const { heapUsed, external, rss } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const kinds = Map.groupBy(process.getActiveResourcesInfo(), (kind) => kind)
  return {
    live: heapUsed + external,
    resident: rss,
    handles: Object.fromEntries([...kinds].map(([kind, all]) => [kind, all.length])),
    files: readdirSync("/proc/self/fd").length,
    fibers: fiberClass instanceof Function ? queryObjects(fiberClass, { format: "count" }) : 0,
    cpu: (user + system) / 1e6
  }
}

if (isMainThread && SOAK_PROBE !== "") {
  noteFirstFiber()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let file = ""
    socket.on("error", () => {})
    socket.on("data", (chunk: Buffer) => {
      file += chunk.toString()
    })
    socket.once("end", () => {
      const answer = JSON.stringify(held())
      if (file !== "") writeHeapSnapshot(file)
      socket.end(answer)
    })
  })
  server.listen(SOAK_PROBE).unref()
}

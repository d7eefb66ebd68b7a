import { readdirSync } from "node:fs"
import { createServer } from "node:net"
import { queryObjects, setFlagsFromString, writeHeapSnapshot } from "node:v8"
import { runInNewContext } from "node:vm"
import { isMainThread } from "node:worker_threads"

// Loaded into the service before everything else (`--import`). A connection to the socket SOAK_PROBE gets, as JSON,
// what the process holds after a garbage collection. If it first sends a file name, a heap snapshot is also written to
// that file.

/** What a process holds after a garbage collection. */
export interface HeldResources {
  /** Bytes of live objects, and of the external buffers they reference. */
  readonly live: number
  readonly resident: number
  /** Handles that keep the process running, by kind: sockets, timers, servers. */
  readonly handles: Readonly<Record<string, number>>
  /** Open files, including sockets. */
  readonly files: number
  /** Fibers in memory. */
  readonly fibers: number
  /** Seconds of CPU time so far, in all threads. */
  readonly cpu: number
}

const { SOAK_PROBE = "" } = process.env

/**
 * The class of all fibers, taken from the first one that runs. The place where Effect stores the current fiber is
 * public, since tracers read it.
 */
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

const held = (): HeldResources => {
  setFlagsFromString("--expose-gc")
  const collect: () => void = runInNewContext("gc")
  // Finalizers of the first collection release what the second collects.
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

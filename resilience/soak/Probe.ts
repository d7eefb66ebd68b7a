import { readdirSync } from "node:fs"
import { createServer } from "node:net"
import { queryObjects, setFlagsFromString, writeHeapSnapshot } from "node:v8"
import { runInNewContext } from "node:vm"
import { isMainThread } from "node:worker_threads"

// Loaded into the service before everything else (`--import`). Each connection to the socket SOAK_PROBE receives, as
// JSON, the resources that the process holds after a garbage collection. If a connection first sends a file name, a
// heap snapshot is also written to that file.

/** The resources that a process holds after a garbage collection. */
export interface HeldResources {
  /** The size of live objects and of the external buffers that they reference, in bytes. */
  readonly live: number
  readonly resident: number
  /** The number of handles that keep the process running, by kind: sockets, timers, servers. */
  readonly handles: Readonly<Record<string, number>>
  /** The number of open files, including sockets. */
  readonly files: number
  /** The number of fibers in memory. */
  readonly fibers: number
  /** The CPU time used so far in all threads, in seconds. */
  readonly cpu: number
}

const { SOAK_PROBE = "" } = process.env

/**
 * The class of all fibers, taken from the first fiber that runs. The property where Effect stores the current fiber is
 * public, because tracers read it.
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

const readResources = (): HeldResources => {
  setFlagsFromString("--expose-gc")
  const collect: () => void = runInNewContext("gc")
  // The first collection runs finalizers, and the second collects the objects that they released.
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
      const answer = JSON.stringify(readResources())
      if (file !== "") writeHeapSnapshot(file)
      socket.end(answer)
    })
  })
  server.listen(SOAK_PROBE).unref()
}

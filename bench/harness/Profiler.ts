import { readFileSync } from "node:fs"
import { SourceMap } from "node:module"
import { fileURLToPath } from "node:url"
import { freePort, type Program, type Server, start, timeToFirstResponse } from "../../test/harness/Servers.ts"

/**
 * A place in the program, and the time that the profile attributes to it. `source`: a file of the source tree, or a
 * word in brackets.
 */
export interface Place {
  readonly source: string
  readonly name: string
  readonly millis: number
}

interface Profile {
  readonly nodes: ReadonlyArray<{
    readonly id: number
    readonly callFrame: {
      readonly functionName: string
      readonly url: string
      readonly lineNumber: number
      readonly columnNumber: number
    }
  }>
  readonly samples: ReadonlyArray<number>
  readonly timeDeltas: ReadonlyArray<number>
}

/** Finds the source file for a position in a bundled file, using the source map next to it. */
const sourceFinder = () => {
  const maps = new Map<string, SourceMap | undefined>()
  const mapOf = (url: string): SourceMap | undefined => {
    if (maps.has(url)) return maps.get(url)
    let map: SourceMap | undefined
    try {
      map = new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, "utf8")))
    } catch {
      map = undefined
    }
    maps.set(url, map)
    return map
  }
  return ({ functionName, url, lineNumber, columnNumber }: Profile["nodes"][number]["callFrame"]): string => {
    if (!url.startsWith("file:")) return url === "" ? functionName : url
    const found = mapOf(url)?.findEntry(lineNumber, columnNumber)
    return found !== undefined && "originalSource" in found ? found.originalSource : url
  }
}

const placesOf = ({ nodes, samples, timeDeltas }: Profile): ReadonlyArray<Place> => {
  const micros = new Map<number, number>()
  samples.forEach((id, n) => micros.set(id, (micros.get(id) ?? 0) + (timeDeltas[n] ?? 0)))
  const sourceOf = sourceFinder()
  return nodes.flatMap(({ id, callFrame }) => {
    const spent = micros.get(id) ?? 0
    return spent === 0 || callFrame.functionName === "(idle)"
      ? []
      : [{ source: sourceOf(callFrame), name: callFrame.functionName, millis: spent / 1_000 }]
  })
}

/** Sends commands to the inspector of a process, one after the other. */
const connectInspector = async (port: number) => {
  const response = await fetch(`http://127.0.0.1:${port}/json/list`)
  const targets: ReadonlyArray<{ readonly webSocketDebuggerUrl: string }> = JSON.parse(await response.text())
  const socket = new WebSocket(targets[0]?.webSocketDebuggerUrl ?? "")
  await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }))
  let sent = 0
  const send = (method: string, params: object = {}): Promise<{ readonly profile?: Profile }> => {
    const id = ++sent
    return new Promise((resolve) => {
      const receive = ({ data }: MessageEvent) => {
        const message: { readonly id?: number; readonly result?: { readonly profile?: Profile } } = JSON.parse(data)
        if (message.id !== id) return
        socket.removeEventListener("message", receive)
        resolve(message.result ?? {})
      }
      socket.addEventListener("message", receive)
      socket.send(JSON.stringify({ id, method, params }))
    })
  }
  return { send, close: () => socket.close() }
}

/** A server whose main thread can be profiled. */
export interface Profiled {
  readonly server: Server
  /** Returns where the main thread spent its time during an operation, excluding idle time. */
  readonly during: (operation: () => Promise<void>) => Promise<ReadonlyArray<Place>>
}

/** Starts a program with an inspector. */
export const startProfiled = async (program: Program): Promise<Profiled> => {
  const port = await freePort()
  const server = await start({ ...program, flags: [...(program.flags ?? []), `--inspect=127.0.0.1:${port}`] })
  await timeToFirstResponse(server, "/healthz")
  const inspector = await connectInspector(port)
  await inspector.send("Profiler.enable")
  await inspector.send("Profiler.setSamplingInterval", { interval: 250 })
  return {
    server,
    during: async (operation) => {
      await inspector.send("Profiler.start")
      await operation()
      const { profile } = await inspector.send("Profiler.stop")
      if (profile === undefined) throw new Error("The inspector returned no profile.")
      return placesOf(profile)
    }
  }
}

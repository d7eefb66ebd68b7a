import type { Extension } from "@electric-sql/pglite"

type Members = Readonly<Record<string, unknown>>

/** The options of PGlite's WebAssembly that concern timers. */
interface Loading {
  readonly instantiateWasm: (
    imports: { readonly env?: Members },
    receive: (instance: { readonly exports: Members }, module: unknown) => unknown
  ) => unknown
}

/**
 * Lets a process exit while an embedded database is open. PostgreSQL sets a timer for its statistics whenever it becomes
 * idle. PGlite turns each into a Node timer, which would keep the process alive forever.
 */
export const unrefTimers: Extension = {
  name: "loose_timers",
  setup: async (_, loading: Loading) => {
    const timers = new Map<number, NodeJS.Timeout>()
    let exports: Members = {}
    const fire = (kind: number) => {
      const { _emscripten_timeout: timeout } = exports
      if (typeof timeout === "function") timeout(kind, performance.now())
    }
    const setTimer = (kind: number, millis: number) => {
      clearTimeout(timers.get(kind))
      if (millis > 0) timers.set(kind, setTimeout(fire, millis, kind).unref())
      return 0
    }
    const instantiateWasm: Loading["instantiateWasm"] = (imports, receive) =>
      loading.instantiateWasm({ ...imports, env: { ...imports.env, _setitimer_js: setTimer } }, (instance, module) => {
        exports = instance.exports
        return receive(instance, module)
      })
    const close = async () => timers.forEach((timer) => clearTimeout(timer))
    return { emscriptenOpts: { ...loading, instantiateWasm }, close }
  }
}

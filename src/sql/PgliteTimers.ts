import type { Extension } from "@electric-sql/pglite"

type Members = Readonly<Record<string, unknown>>

/** What PGlite's WebAssembly is started with, as far as it is about timers. */
interface Loading {
  readonly instantiateWasm: (
    imports: { readonly env?: Members },
    receive: (instance: { readonly exports: Members }, module: unknown) => unknown
  ) => unknown
}

/**
 * Lets a process end that has an embedded database open. PostgreSQL sets itself a timer whenever it is idle, for its
 * statistics; PGlite makes a timer of Node of each, which would keep the process alive for ever.
 */
export const looseTimers: Extension = {
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

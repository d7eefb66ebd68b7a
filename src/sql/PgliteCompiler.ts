import { setFlagsFromString } from "node:v8"

let isLimited = false

/**
 * Runs WebAssembly only as V8's fast compiler translates it. The optimizing compiler would need 600 MB for a single function of
 * PostgreSQL and seconds of CPU for the others, while statements would take about the same time. V8 reads the flags when it
 * compiles a function, which it does at the function's first call, so they stay set.
 */
export const limitCompiler = (): void => {
  if (isLimited) return
  isLimited = true
  setFlagsFromString("--no-wasm-tier-up")
  setFlagsFromString("--no-wasm-dynamic-tiering")
}

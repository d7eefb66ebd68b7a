import { existsSync } from "node:fs"
import * as module from "node:module"
import { join } from "node:path"

/** The delay after which a process writes its compiled code to the cache. A process that ends earlier writes it on exit. */
const STORED_AFTER_MILLIS = 1_000

/**
 * Returns the cache folder: next to the bundle, or in `node_modules` when running from source. No other user can write
 * there.
 */
const folderOf = (entry: string): string | undefined => {
  if (!entry.endsWith(".ts")) return join(entry, "../compiled")
  const packages = join(entry, "../../../node_modules")
  return existsSync(packages) ? join(packages, ".cache/sallyport/compiled") : undefined
}

/**
 * Caches the compiled code of modules loaded from now on, and reuses the code cached by earlier processes. If this
 * release of Node has no compile cache, or the folder is read-only, the start is slower and nothing else changes.
 */
export const cacheCompiledCode = (entry: string): void => {
  const folder = folderOf(entry)
  if (folder === undefined || typeof module.enableCompileCache !== "function") return
  const { status } = module.enableCompileCache(folder)
  if (status !== module.constants.compileCacheStatus.ENABLED) return
  setTimeout(() => module.flushCompileCache(), STORED_AFTER_MILLIS).unref()
}

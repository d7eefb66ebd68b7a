import { existsSync } from "node:fs"
import * as module from "node:module"
import { join } from "node:path"

/** How long after its start a process stores its compiled code. A process that ends earlier stores it when it ends. */
const STORED_AFTER_MILLIS = 1_000

/** The folder of the cache: beside a bundle, or below the source's installed packages. No other user can write there. */
const folderOf = (entry: string): string | undefined => {
  if (!entry.endsWith(".ts")) return join(entry, "../compiled")
  const packages = join(entry, "../../../node_modules")
  return existsSync(packages) ? join(packages, ".cache/sallyport/compiled") : undefined
}

/**
 * Caches the compiled code of modules that are loaded from now on, and uses the code that an earlier process cached. On
 * a release of Node without such a cache, or in a read-only folder, only the start is slower.
 */
export const cacheCompiledCode = (entry: string): void => {
  const folder = folderOf(entry)
  if (folder === undefined || typeof module.enableCompileCache !== "function") return
  const { status } = module.enableCompileCache(folder)
  if (status !== module.constants.compileCacheStatus.ENABLED) return
  setTimeout(() => module.flushCompileCache(), STORED_AFTER_MILLIS).unref()
}

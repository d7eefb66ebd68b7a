import { execFile } from "node:child_process"
import { existsSync, mkdirSync, renameSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { inject } from "vitest"

const root = new URL("../../", import.meta.url).pathname

/** Builds beside its place and then moves it there: of two workers at once, the one that is later has built in vain. */
const build = async (): Promise<string> => {
  const folder = inject("bundle")
  const bundle = join(folder, "dist")
  if (!existsSync(bundle)) {
    const own = join(folder, String(process.pid))
    mkdirSync(folder, { recursive: true })
    await promisify(execFile)(process.execPath, ["build.ts", own], { cwd: root })
    // What the bundle looks for above itself.
    for (const name of ["node_modules", "sql", "package.json"]) link(join(root, name), join(folder, name))
    try {
      renameSync(own, bundle)
    } catch (cause) {
      if (!existsSync(bundle)) throw cause
    }
  }
  return join(bundle, "sallyport.js")
}

const link = (target: string, path: string): void => {
  try {
    symlinkSync(target, path)
  } catch (cause) {
    if (!existsSync(path)) throw cause
  }
}

let built: Promise<string> | undefined

/** The service in one file, which starts in a fifth of the time its source takes. Made at its first use in a run. */
export const bundle = (): Promise<string> => (built ??= build())

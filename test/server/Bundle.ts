import { execFile } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { inject } from "vitest"
import { readMigrations } from "#sql/MigrationFiles"
import { shipImage } from "#sql/PgliteImage"

const root = new URL("../../", import.meta.url).pathname

/** With less frequent garbage collection, esbuild uses a fifth less CPU time. */
const env = { ...process.env, GOGC: "400" }

/**
 * Lays out the folder like a release. Without the prebuilt database image, every start in a container would create and
 * migrate its embedded database again.
 */
const shipTo = (folder: string) =>
  readMigrations().pipe(
    Effect.flatMap((migrations) => shipImage(folder, migrations)),
    Effect.provideServiceEffect(Reactivity.Reactivity, Reactivity.make),
    Effect.runPromise
  )

/**
 * Builds once for all workers: the worker that creates the folder first builds, and the others wait until the bundle
 * has its final name.
 */
const build = async (): Promise<string> => {
  const folder = inject("bundle")
  const [bundle, failed] = [join(folder, "dist"), join(folder, "failed")]
  if (mkdirSync(folder, { recursive: true }) !== undefined) {
    // Files that the bundle looks up in its parent folders.
    for (const name of ["node_modules", "sql", "package.json"]) symlinkSync(join(root, name), join(folder, name))
    const unnamed = join(folder, "unnamed")
    try {
      // The libraries are also needed: the testing guide imports them by the package's name.
      for (const part of ["Bundle", "Libraries"])
        await promisify(execFile)(process.execPath, [`build/${part}.ts`, unnamed], { cwd: root, env })
      await shipTo(unnamed)
      renameSync(unnamed, bundle)
    } catch (cause) {
      writeFileSync(failed, String(cause))
      throw cause
    }
  }
  while (!existsSync(bundle)) {
    if (existsSync(failed)) throw new Error(readFileSync(failed, "utf8"))
    await setTimeout(20)
  }
  return join(bundle, "sallyport.js")
}

let built: Promise<string> | undefined

/** The service bundled into one file, which starts in a fifth of the time. It is built on first use in a test run. */
export const bundle = (): Promise<string> => (built ??= build())

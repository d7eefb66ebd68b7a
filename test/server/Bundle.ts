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

/** Collected less often, what esbuild makes takes a fifth less of the processor. */
const env = { ...process.env, GOGC: "400" }

/** As a release has it: without the image, each start in a container makes and migrates its embedded database anew. */
const shipTo = (folder: string) =>
  readMigrations().pipe(
    Effect.flatMap((migrations) => shipImage(folder, migrations)),
    Effect.provideServiceEffect(Reactivity.Reactivity, Reactivity.make),
    Effect.runPromise
  )

/** Builds once for all workers: whoever is first to make the folder builds, the others wait until the bundle has its name. */
const build = async (): Promise<string> => {
  const folder = inject("bundle")
  const [bundle, failed] = [join(folder, "dist"), join(folder, "failed")]
  if (mkdirSync(folder, { recursive: true }) !== undefined) {
    // What the bundle looks for above itself.
    for (const name of ["node_modules", "sql", "package.json"]) symlinkSync(join(root, name), join(folder, name))
    const unnamed = join(folder, "unnamed")
    try {
      // The libraries, too: the guide on tests imports them from the package's own name.
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

/** The service in one file, which starts in a fifth of the time its source takes. Made at its first use in a run. */
export const bundle = (): Promise<string> => (built ??= build())

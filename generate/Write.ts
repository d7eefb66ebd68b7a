import { execFileSync } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { generatedFiles } from "./Files.ts"

const root = join(import.meta.dirname, "..")

/** Writes the generated part of the SDK, formatted, to a separate folder. Returns the paths of its files. */
export const writeGenerated = (folder: string): ReadonlyArray<string> => {
  rmSync(folder, { recursive: true, force: true })
  const files = [...generatedFiles()]
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  execFileSync(join(root, "node_modules/.bin/biome"), ["check", "--write", "--config-path", root, folder], {
    stdio: ["ignore", "ignore", "inherit"]
  })
  return files.map(([path]) => path)
}

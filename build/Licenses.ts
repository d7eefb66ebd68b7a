import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
}

/** The licenses of the packages that the inputs of a bundle belong to, as their authors ask for them to be passed on. */
export const licensesOf = (root: string, inputs: ReadonlyArray<string>): string => {
  const folders = inputs.flatMap((input) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? [])
  const texts = [...new Set(folders)].sort().map((folder) => {
    const path = join(root, folder)
    const {
      name,
      version,
      license = "unknown"
    } = JSON.parse(readFileSync(join(path, "package.json"), "utf8")) as Manifest
    const file = existsSync(path) ? readdirSync(path).find((entry) => /^licen[cs]e/i.test(entry)) : undefined
    const text = file === undefined ? "" : `\n${readFileSync(join(path, file), "utf8").trim()}\n`
    return `${name} ${version} (${license})\n${text}`
  })
  return texts.join(`\n${"-".repeat(72)}\n\n`)
}

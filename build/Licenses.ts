import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
}

/** An npm package that is part of the build. `folder`: relative to the root of the repository. */
export interface Package extends Manifest {
  readonly folder: string
}

/** Reads a package's manifest in a folder. */
export const packageIn = (root: string, folder: string): Package => {
  const {
    name,
    version,
    license = "unknown"
  } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest
  return { name, version, license, folder }
}

/** Returns the packages that a bundle's inputs belong to, without duplicates. */
export const packagesOf = (root: string, inputs: ReadonlyArray<string>): ReadonlyArray<Package> => {
  const folders = inputs.flatMap((input) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? [])
  return [...new Set(folders)].sort().map((folder) => packageIn(root, folder))
}

/** Returns the licenses of packages, in the form that they require for redistribution. */
export const licensesOf = (root: string, packages: ReadonlyArray<Package>): string => {
  const texts = packages.map(({ name, version, license, folder }) => {
    const path = join(root, folder)
    const file = existsSync(path) ? readdirSync(path).find((entry) => /^licen[cs]e/i.test(entry)) : undefined
    const text = file === undefined ? "" : `\n${readFileSync(join(path, file), "utf8").trim()}\n`
    return `${name} ${version} (${license})\n${text}`
  })
  return texts.join(`\n${"-".repeat(72)}\n\n`)
}

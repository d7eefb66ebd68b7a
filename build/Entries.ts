import { readFileSync } from "node:fs"

interface Manifest {
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string }>>
}

const { exports: exported } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as Manifest

const paths = Object.values(exported).map((entry) => entry.default.replace(/^\.\/dist\//, "").replace(/\.js$/, ""))

/**
 * The package's entries from `exports` in package.json, as paths below `src` and `dist` without extensions and without
 * duplicates.
 */
export const entries: ReadonlyArray<string> = [...new Set(paths)]

import { readFileSync } from "node:fs"

interface Manifest {
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string }>>
}

const { exports: exported } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as Manifest

const paths = Object.values(exported).map((entry) => entry.default.replace(/^\.\/dist\//, "").replace(/\.js$/, ""))

/**
 * The paths of the package's entries below `src` and `dist`, without extensions or duplicates, from `exports` in
 * package.json.
 */
export const entries: ReadonlyArray<string> = [...new Set(paths)]

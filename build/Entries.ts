import { readFileSync } from "node:fs"

interface Manifest {
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string }>>
}

/** The paths of the package's entries below `src` and `dist`, without their endings: what `exports` of package.json lists. */
export const entries: ReadonlyArray<string> = Object.values(
  (JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as Manifest).exports
).map((entry) => entry.default.replace(/^\.\/dist\//, "").replace(/\.js$/, ""))

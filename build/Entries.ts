import { readFileSync } from "node:fs"

interface Manifest {
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string }>>
}

const { exports: exported } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as Manifest

const pathOf = ({ default: file }: { readonly default: string }): string =>
  file.replace(/^\.\/dist\//, "").replace(/\.js$/, "")

/**
 * The entries from `exports` in package.json, as paths below `src` and `dist` without extensions and without
 * duplicates.
 */
export const entries: ReadonlyArray<string> = [...new Set(Object.values(exported).map(pathOf))]

/** The entries of the client, which are the package `sallyport`. The others belong to `sallyport-service`. */
export const clientEntries = entries.filter((entry) => entry.startsWith("client/"))

/** The test kit for tests without Effect. It is built into the program's bundle, so that it needs no installed Effect. */
export const PROMISE_KIT = "testing/promise"

/** The entries for apps that use Effect, which are built for the app's own Effect. */
export const effectEntries = entries.filter((entry) => !clientEntries.includes(entry) && entry !== PROMISE_KIT)

/** The import path of a client module, if it is an entry: `client/Client` is `sallyport/client`. */
export const clientImport = (module: string): string | undefined => {
  if (!clientEntries.includes(module)) return undefined
  const found = Object.entries(exported).find(([path, entry]) => path !== "." && pathOf(entry) === module)
  return found?.[0].replace(/^\./, "sallyport")
}

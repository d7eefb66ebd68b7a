import { readFileSync } from "node:fs"

/**
 * The tests of the surface that run on the embedded database besides its own, by their files: together they run every statement
 * there, most of them three times. The end of a whole run names the statements that these tests leave out.
 */
export const conformance: Readonly<Record<string, ReadonlyArray<string>>> = JSON.parse(
  readFileSync(new URL("conformance.json", import.meta.url), "utf8")
)

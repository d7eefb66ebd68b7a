import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, normalize, resolve } from "node:path"
import { describe, expect, test } from "vitest"
import { coreFolders } from "../../oxlint.config.ts"

const root = resolve(import.meta.dirname, "../..")

/** Source texts by their paths from the root. */
type Sources = Readonly<Record<string, string>>

const sources: Sources = Object.fromEntries(
  readdirSync(join(root, "src"), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path.slice(root.length + 1).replaceAll("\\", "/"), readFileSync(path, "utf8")])
)

const imported = /(?:\bfrom|\bimport)\s*\(?\s*"([#.][^"]+)"/g

/** The files that a file imports, in any ring. */
const importsOf = (path: string, text: string): ReadonlyArray<string> =>
  [...text.matchAll(imported)].map(([, name = ""]) =>
    name.startsWith("#") ? `src/${name.slice(1)}.ts` : normalize(join(dirname(path), name))
  )

/** The folder of a file inside its ring, such as `core/users`. A file directly in its ring counts as its own folder. */
const folderOf = (path: string): string => path.split("/").slice(1, 3).join("/")

/** The cycles between the folders of a ring, each listed once as its folders in order. */
const folderCycles = (files: Sources): ReadonlyArray<string> => {
  const arrows = new Map<string, Set<string>>()
  for (const [path, text] of Object.entries(files)) {
    const from = folderOf(path)
    const known = arrows.get(from) ?? new Set()
    arrows.set(from, known)
    for (const to of importsOf(path, text).map(folderOf)) if (to !== from) known.add(to)
  }
  const done = new Set<string>()
  const found = new Set<string>()
  const visit = (folder: string, trail: ReadonlyArray<string>) => {
    if (trail.includes(folder)) {
      found.add([...trail.slice(trail.indexOf(folder)), folder].join(" → "))
      return
    }
    if (done.has(folder)) return
    for (const next of arrows.get(folder) ?? []) visit(next, [...trail, folder])
    done.add(folder)
  }
  for (const folder of arrows.keys()) visit(folder, [])
  return [...found]
}

/** Files of core outside its known folders. */
const strayFiles = (files: Sources): ReadonlyArray<string> =>
  Object.keys(files).filter((path) => path.startsWith("src/core/") && !coreFolders.includes(path.split("/")[2] ?? ""))

describe("the folders inside a ring", () => {
  test("have no cyclic dependencies", () => {
    expect(folderCycles(sources)).toEqual([])
  })

  test("include every file of core", () => {
    expect(strayFiles(sources)).toEqual([])
  })

  test("are checked for cycles even if no two files import each other", () => {
    const planted: Sources = {
      "src/core/users/Users.ts": `import { Orgs } from "../orgs/Orgs.ts"\n`,
      "src/core/orgs/Orgs.ts": `import type { Name } from "#domain/Name"\n`,
      "src/core/orgs/Members.ts": `export const late = () => import("../users/Names.ts")\n`,
      "src/core/users/Names.ts": `export const name = "Jo"\n`
    }
    expect(folderCycles(planted)).toEqual(["core/users → core/orgs → core/users"])
  })

  test("are checked for files directly in core and in an unknown folder", () => {
    const planted: Sources = { "src/core/Clock.ts": "", "src/core/misc/Clock.ts": "", "src/core/users/Clock.ts": "" }
    expect(strayFiles(planted)).toEqual(["src/core/Clock.ts", "src/core/misc/Clock.ts"])
  })
})

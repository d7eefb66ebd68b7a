import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, inject, test } from "vitest"
import { installed } from "./Consumer.ts"

const folder = join(installed, "node_modules/sallyport")

const read = (path: string): string => readFileSync(join(folder, path), "utf8")

const files = inject("packed")

interface Manifest {
  readonly bin: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string }>>
}

const manifest = JSON.parse(read("package.json")) as Manifest

interface Locked {
  readonly packages: Readonly<Record<string, { readonly optional?: boolean; readonly hasInstallScript?: boolean }>>
}

const { packages } = JSON.parse(readFileSync(join(installed, "package-lock.json"), "utf8")) as Locked

test("packs only the program, its operating files, the guides, a few reference pages and the team app", () => {
  const parts =
    /^(dist\/|sql\/migrations\/|deploy\/|examples\/team\/|docs\/guides\/|docs\/monitoring\/|docs\/(logs\.md|metrics\.md|import-columns\.md|console\.(md|png))$|[A-Z]+\.md$|\.env\.example$|package\.json$)/
  const others = files.filter((file) => !parts.test(file))
  expect(others).toEqual([])
  const sources = files.filter((file) => /^(?!examples\/).*(?<!\.d)\.[mc]?ts$/.test(file))
  expect(sources).toEqual([])
  expect(files.filter((file) => /^dist\/(source$|compiled\/)/.test(file))).toEqual([])
})

test("includes an empty database, so that no first start has to create one", () => {
  expect(files.filter((file) => /^dist\/pglite-[\w.-]+\.tar\.gz$/.test(file))).toHaveLength(1)
})

test("includes every file that package.json names", () => {
  const named = [...Object.values(manifest.bin), ...Object.values(manifest.exports).flatMap(Object.values)]
  expect(named.map((path) => path.replace(/^\.\//, "")).filter((path) => !files.includes(path))).toEqual([])
})

test("includes everything that its README, changelog and guides link to", () => {
  const pages = files.filter((file) => /^([A-Z]+|docs\/.+)\.md$/.test(file))
  expect(pages).toEqual(expect.arrayContaining(["CHANGELOG.md", "README.md", "SECURITY.md", "docs/guides/sdk.md"]))
  const missing = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\(([^)#\s]+)/g)]
      .map(([, link = ""]) => link)
      .filter((link) => !/^\w+:/.test(link) && !files.includes(join(page, "..", link)))
      .map((link) => `${page}: ${link}`)
  )
  expect(missing).toEqual([])
})

test("adds few packages to a project, none with an install script, and no npm warnings", () => {
  const names = Object.keys(packages).flatMap((path) => (path === "" ? [] : [path.replace("node_modules/", "")]))
  const required = names.filter((name) => packages[`node_modules/${name}`]?.optional !== true)
  expect(required.sort()).toEqual([
    "@electric-sql/pglite",
    "@node-rs/argon2",
    "@node-rs/bcrypt",
    "effect",
    "jose",
    "sallyport"
  ])
  expect(Object.values(packages).filter(({ hasInstallScript }) => hasInstallScript === true)).toEqual([])
  expect(inject("printed")).not.toMatch(/install-scripts|EBADENGINE|ERESOLVE|deprecated/)
})

test("has declarations that refer only to each other and to packages that come with it", () => {
  const wrong = files
    .filter((file) => file.endsWith(".d.ts"))
    .flatMap((file) =>
      [...read(file).matchAll(/(?:from |import\(|import )"([^"]+)"/g)].flatMap(([, named = ""]) => {
        if (named.startsWith(".")) {
          const other = join(file, "..", named).replace(/\.js$/, ".d.ts")
          return files.includes(other) ? [] : [`${file}: ${named}`]
        }
        return /^(node:|effect(\/|$)|jose$|fastify$|hono$)/.test(named) ? [] : [`${file}: ${named}`]
      })
    )
  expect(wrong).toEqual([])
})

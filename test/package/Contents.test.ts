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

test("Only what runs, what operators run it with, the guides, the pages about the console, logs, metrics and imports, and the app for teams are packed", () => {
  const parts =
    /^(dist\/|sql\/migrations\/|deploy\/|examples\/team\/|docs\/guides\/|docs\/monitoring\/|docs\/(logs\.md|metrics\.md|import-columns\.md|console\.(md|png))$|[A-Z]+\.md$|\.env\.example$|package\.json$)/
  const others = files.filter((file) => !parts.test(file))
  expect(others).toEqual([])
  const sources = files.filter((file) => /^(?!examples\/).*(?<!\.d)\.[mc]?ts$/.test(file))
  expect(sources).toEqual([])
  expect(files.filter((file) => /^dist\/(source$|compiled\/)/.test(file))).toEqual([])
})

test("An empty database comes with it, so that no first start makes one", () => {
  expect(files.filter((file) => /^dist\/pglite-[\w.-]+\.tar\.gz$/.test(file))).toHaveLength(1)
})

test("What package.json names is there", () => {
  const named = [...Object.values(manifest.bin), ...Object.values(manifest.exports).flatMap(Object.values)]
  expect(named.map((path) => path.replace(/^\.\//, "")).filter((path) => !files.includes(path))).toEqual([])
})

test("What its README, its changelog and its guides link to is packed, too", () => {
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

test("A project gets few packages with it, none with an install script, and npm has nothing to complain about", () => {
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

test("Declarations name each other and packages that come with it, nothing else", () => {
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

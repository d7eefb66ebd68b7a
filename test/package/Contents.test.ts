import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { expect, inject, test } from "vitest"
import { clientAlone, installed } from "./Consumer.ts"

interface Manifest {
  readonly version: string
  readonly bin?: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string } | string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

const packed = (name: string, files: ReadonlyArray<string>) => {
  const folder = join(installed, "node_modules", name)
  const read = (path: string): string => readFileSync(join(folder, path), "utf8")
  return { name, folder, files, read, manifest: JSON.parse(read("package.json")) as Manifest }
}

const client = packed("sallyport", inject("clientFiles"))
const service = packed("sallyport-service", inject("serviceFiles"))
const both = [client, service]

interface Locked {
  readonly packages: Readonly<Record<string, { readonly optional?: boolean; readonly hasInstallScript?: boolean }>>
}

const lockedIn = (folder: string): Locked["packages"] =>
  (JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")) as Locked).packages

/** The packages that an installation always has. */
const requiredIn = (folder: string): ReadonlyArray<string> =>
  Object.entries(lockedIn(folder))
    .filter(([path, { optional }]) => path !== "" && optional !== true)
    .map(([path]) => path.replace("node_modules/", ""))
    .sort()

test("the sallyport package contains only the client", () => {
  const parts = /^(dist\/(client|server|testing)\/|dist\/(sallyport|RequiredNode)\.js$|[A-Z]+\.md$|package\.json$)/
  expect(client.files.filter((file) => !parts.test(file))).toEqual([])
})

test("the sallyport-service package contains only the program, its operating files, pages and example", () => {
  const parts =
    /^(dist\/(?!client\/)|sql\/migrations\/|deploy\/|examples\/team\/|docs\/guides\/|docs\/monitoring\/|docs\/(compare\.md|logs\.md|metrics\.md|import-columns\.md|console\.(md|png))$|[A-Z]+\.md$|\.env\.example$|package\.json$)/
  expect(service.files.filter((file) => !parts.test(file))).toEqual([])
  expect(service.files.filter((file) => /^dist\/(source$|compiled\/)/.test(file))).toEqual([])
})

test("the packages contain no sources or source maps", () => {
  for (const { files, read } of both) {
    expect(files.filter((file) => /^(?!examples\/).*(?<!\.d)\.[mc]?ts$|\.map$/.test(file))).toEqual([])
    const scripts = files.filter((file) => file.endsWith(".js"))
    expect(scripts.filter((file) => /^\/\/# sourceMappingURL=\S+\s*$(?![\s\S])/m.test(read(file)))).toEqual([])
  }
})

test("the client's package is smaller than 2 MB", () => {
  const bytes = client.files.reduce((total, file) => total + statSync(join(client.folder, file)).size, 0)
  console.log(`sallyport: ${Math.ceil(bytes / 1024)} kB`)
  expect(bytes).toBeLessThan(2_000_000)
})

test("sallyport-service includes an empty database, so that the first start doesn't have to create it", () => {
  expect(service.files.filter((file) => /^dist\/pglite-[\w.-]+\.tar\.gz$/.test(file))).toHaveLength(1)
})

test.each(both)("$name includes every file named in its package.json", ({ manifest, files }) => {
  const exported = Object.values(manifest.exports).flatMap((entry) =>
    typeof entry === "string" ? [entry] : Object.values(entry)
  )
  const named = [...Object.values(manifest.bin ?? {}), ...exported].map((path) => path.replace(/^\.\//, ""))
  expect(named.filter((path) => !files.includes(path))).toEqual([])
})

test("each package pins the version of the other package", () => {
  expect(client.manifest.peerDependencies["sallyport-service"]).toBe(service.manifest.version)
  expect(service.manifest.peerDependencies["sallyport"]).toBe(client.manifest.version)
})

test.each(both)("$name includes every target of a link in its pages", ({ files, read }) => {
  const pages = files.filter((file) => /^([A-Z]+|docs\/.+)\.md$/.test(file))
  expect(pages).toContain("README.md")
  const missing = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\(([^)#\s]+)/g)]
      .map(([, link = ""]) => link)
      .filter((link) => !/^\w+:/.test(link) && !files.includes(join(page, "..", link)))
      .map((link) => `${page}: ${link}`)
  )
  expect(missing).toEqual([])
})

test("installing only the client adds two packages to a project", () => {
  expect(requiredIn(clientAlone)).toEqual(["jose", "sallyport"])
})

test("installing the service adds few packages, without install scripts, and npm warns only about an old Node", () => {
  expect(requiredIn(installed)).toEqual([
    "@electric-sql/pglite",
    "@node-rs/argon2",
    "@node-rs/bcrypt",
    "effect",
    "jose",
    "sallyport",
    "sallyport-service"
  ])
  const packages = Object.values(lockedIn(installed))
  expect(packages.filter(({ hasInstallScript }) => hasInstallScript === true)).toEqual([])
  expect(inject("printed")).not.toMatch(/install-scripts|ERESOLVE|deprecated/)
  const needNewerNode = [...inject("printed").matchAll(/EBADENGINE +package: '(.+)@/g)].map(([, name]) => name)
  expect(needNewerNode.filter((name) => name !== service.name)).toEqual([])
})

test("the type declarations refer only to each other and to installed packages", () => {
  const packages = /^(node:|effect(\/|$)|jose$|fastify$|hono$)/
  for (const { name, files, read } of both) {
    const other = name === client.name ? service : client
    const imports = Object.keys(other.manifest.exports).map((path) => `${other.name}${path.slice(1)}`)
    const wrong = files
      .filter((file) => file.endsWith(".d.ts"))
      .flatMap((file) =>
        [...read(file).matchAll(/(?:from |import\(|import )"([^"]+)"/g)].flatMap(([, named = ""]) => {
          const declared = join(file, "..", named).replace(/\.js$/, ".d.ts")
          const isKnown = packages.test(named) || imports.includes(named) || files.includes(declared)
          return isKnown ? [] : [`${name}/${file}: ${named}`]
        })
      )
    expect(wrong).toEqual([])
  }
})

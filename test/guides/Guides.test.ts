import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Redacted } from "effect"
import { afterAll, beforeAll, expect, test } from "vitest"
import { Given } from "#testing/Given"
import { bundle } from "../server/Bundle.ts"
import { bundleFlags, flags, type Running, start } from "../server/ServerProcess.ts"
import { freshDatabase } from "../support/databases.ts"
import { type Block, blocksOf, guides, textOf } from "./Page.ts"
import { freePort, Walkthrough } from "./Walkthrough.ts"

const ROOT_KEY = "sk_the-root-key-of-whoever-reads-the-guides"

const folder = mkdtempSync(join(tmpdir(), "sallyport-guides-"))

let service: Running

/**
 * `npx sallyport` runs the bundle, which starts in a fifth of the time. Only processes with the embedded database get
 * flags: any flag costs a process the compiled code of Node's own modules, a fifth of its time.
 */
const programs = join(folder, "bin")

/** Installs a script with this name that takes precedence over the machine's programs. */
const script = (name: string, ...lines: ReadonlyArray<string>) =>
  writeFileSync(join(programs, name), ["#!/bin/sh", ...lines, ""].join("\n"), { mode: 0o755 })

/** Runs Node with flags if the arguments match a pattern, and otherwise without them. */
const node = (words: string, pattern: string, flags: ReadonlyArray<string>, file = "") => [
  `case "${words}" in ${pattern}) exec ${process.execPath} ${flags.join(" ")} ${file} "$@";; esac`,
  `exec ${process.execPath} ${file} "$@"`
]

beforeAll(async () => {
  const PORT = String(await freePort())
  service = await start({ PORT, DATABASE_URL: "memory://", SALLYPORT_ROOT_KEY: ROOT_KEY })
  mkdirSync(programs)
  script("node", ...node("$*", "*test*", flags))
  script("npx", 'exec "$@"')
  script("sallyport", ...node("$1", "serve|dev|move|backup", bundleFlags, await bundle()))
}, 240_000)

afterAll(async () => {
  await service.stop("SIGTERM")
  rmSync(folder, { recursive: true })
})

/**
 * The variables that a reader has at the start of a page: the state that `first-steps.md` leaves, and an empty
 * database.
 */
const variables = async (home: string) => {
  const { PATH = "" } = process.env
  const realm = await new Given(service.url, ROOT_KEY).realm({ jwt_algo: "rs256" })
  const key = (await realm.as("admin_realm")).key ?? ""
  const database = await freshDatabase()
  return {
    HOME: home,
    PATH: [programs, join(import.meta.dirname, "../../node_modules/.bin"), PATH].join(":"),
    URL: service.url,
    ROOT_KEY,
    REALM: realm.id,
    KEY: key,
    AUTH: `Authorization: Bearer ${key}`,
    DATABASE_URL: database._tag === "Postgres" ? Redacted.value(database.url) : ""
  }
}

const root = new URL("../../", import.meta.url).pathname

/** The links that let a reader's folder import the package by its name. */
const checkout = Object.fromEntries(["node_modules", "package.json", "src"].map((name) => [name, join(root, name)]))

/** Follows blocks in order. */
const follow = async (name: string, blocks: ReadonlyArray<Block>) => {
  expect(blocks.length).toBeGreaterThan(0)
  const home = join(folder, name)
  const reader = await Walkthrough.begin(home, blocks, {
    variables: await variables(home),
    seen: `Root key: ${ROOT_KEY}`,
    port: Number(new URL(service.url).port),
    service: service.output,
    links: { ...checkout, dist: dirname(await bundle()) }
  })
  try {
    for (const block of blocks) await reader.follow(block)
  } finally {
    await reader.end()
  }
}

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8")

test("apps in different pages have different names, because app names determine their hosts", () => {
  const names = [readme, ...guides.map(textOf)].flatMap((page) => [
    ...page.matchAll(/"client_app": \{\s*"name": "([^"]+)"/g)
  ])
  const all = names.map(([, name]) => name)
  expect(all.length).toBeGreaterThan(10)
  expect(all.filter((name, index) => all.indexOf(name) < index)).toEqual([])
})

/** Includes the backup that `production.md` restores (RG-18). Concurrent readers must not interfere with each other. */
const longestFirst = guides.toSorted((one, other) => textOf(other).length - textOf(one).length)

// Includes the backup that `production.md` restores (RG-18). Concurrent readers must not interfere with each other.
test.concurrent.each(longestFirst)(
  "docs/guides/%s.md: each code block runs and prints the output shown on the page",
  (guide) => follow(guide, blocksOf(textOf(guide))),
  240_000
)

test.concurrent("README.md: the SDK, middleware and test examples work", () => {
  const [shown = ""] = readme.split("\n## Guides")
  return follow("tour", blocksOf(shown))
}, 240_000)

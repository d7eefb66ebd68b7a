import { existsSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { expect, test } from "vitest"
import { everyOperation as operations } from "../support/operations.ts"

const root = resolve(import.meta.dirname, "../..")

/** Replaces the test of a row whose feature isn't built yet. */
const missing = /^not built yet: (hosted login|client library|management UI)$/

const rows = readFileSync(join(root, "docs/contract/contract.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| Key "))
  .map((line) => {
    const [, key = "", text = "", shown = "", ...rest] = line.split("|").map((cell) => cell.trim())
    return { key, text, shown, whole: rest.length === 1 }
  })

/** The titles of tests and groups in a file, and the first texts in the tables of parameterized tests. */
const namesIn = (file: string): ReadonlyArray<string> => {
  const source = readFileSync(join(root, "test", file), "utf8")
  const named =
    /(?:\b(?:describe|test|it)[\w.]*\(|\)\(|\[)\s*(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`([^`]*)`)\s*,/g
  return [...source.matchAll(named)].map(([, double, single, ticks]) => double ?? single ?? ticks ?? "")
}

const known = new Map<string, ReadonlyArray<string>>()

/** Returns whether a file contains a test with this title, or one whose title contains it. */
const holds = (file: string, name: string): boolean => {
  if (!existsSync(join(root, "test", file))) return false
  const names = known.get(file) ?? namesIn(file)
  known.set(file, names)
  return names.some((one) => one === name || (name.length > 24 && one.includes(name)))
}

const endpoint = (method: string, path: string) => `${method} ${path.replaceAll(/:\w+|\{\w+\}/g, "{}")}`

/** Responses of hosted login are not part of the management API's definition. Only tests can verify its rows. */
const endpoints = rows.flatMap((row) => {
  if (row.key.startsWith("v1.hosted.")) return []
  const [, method, path] = /^`([A-Z]+) (\/\S+)`/.exec(row.text) ?? []
  return method === undefined || path === undefined ? [] : [{ ...row, endpoint: endpoint(method, path) }]
})

const built = new Set(operations.map(({ method, template }) => endpoint(method, template)))

test("every row of the contract has a unique key, a description and a reference to a test", () => {
  expect(rows.length).toBeGreaterThan(800)
  expect(rows.filter(({ key, text, shown, whole }) => key === "" || text === "" || shown === "" || !whole)).toEqual([])
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
})

test("every row refers to an existing test", () => {
  const lost = rows.filter(({ shown }) => {
    const [, file, name] = /^`(\S+\.test\.ts)` › (.+)$/.exec(shown) ?? []
    return file === undefined || name === undefined ? !missing.test(shown) : !holds(file, name)
  })
  expect(lost.map(({ key, shown }) => `${key}: ${shown}`)).toEqual([])
})

test("every operation of the API has a row", () => {
  const listedEndpoints = new Set(endpoints.map((row) => row.endpoint))
  const untold = operations.filter(({ method, template }) => !listedEndpoints.has(endpoint(method, template)))
  expect(untold.map(({ name }) => name)).toEqual([])
})

test("every endpoint row names an existing operation or is marked as not built", () => {
  const wrong = endpoints.filter((row) => built.has(row.endpoint) === missing.test(row.shown))
  expect(wrong.map(({ key }) => key)).toEqual([])
})

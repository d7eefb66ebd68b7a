import { readFileSync } from "node:fs"
import { SourceMap } from "node:module"
import { dirname, join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { beforeAll, expect, test } from "vitest"
import { withSourceLines } from "#server/SourceLines"
import { originsOf } from "#server/SourceMap"
import { bundle } from "./Bundle.ts"

let file = ""

beforeAll(async () => {
  file = join(dirname(await bundle()), "MailWorker.js")
}, 60_000)

const mapOf = (file: string) => JSON.parse(readFileSync(`${file}.map`, "utf8"))

test("maps every position of a bundle as Node's own source map reader does", () => {
  const map = mapOf(file)
  const reader = new SourceMap(map)
  const places = readFileSync(file, "utf8")
    .split("\n")
    .flatMap((text, index) =>
      [1, 7, 20, text.length].flatMap((column) => (column <= text.length ? [{ line: index + 1, column }] : []))
    )
  const expected = places.map(({ line, column }) => {
    const entry = reader.findEntry(line - 1, column - 1)
    const isSource = "originalSource" in entry && entry.generatedLine === line - 1
    return isSource
      ? { source: entry.originalSource, line: entry.originalLine + 1, column: entry.originalColumn + 1 }
      : undefined
  })
  expect(expected.filter((origin) => origin !== undefined).length).toBeGreaterThan(5_000)
  expect(originsOf(map, places)).toEqual(expected)
})

test("names the source lines in a stack trace with paths or URLs", () => {
  const line = readFileSync(file, "utf8")
    .split("\n")
    .findIndex((text) => text.includes("parentPort"))
  const [origin] = originsOf(mapOf(file), [{ line: line + 1, column: 8 }])
  const place = `${resolve(dirname(file), origin?.source ?? "")}:${origin?.line}:${origin?.column}`
  expect(place).toContain("src/server/MailWorker.ts:")
  const trace = `Error: no\n    at one (${file}:${line + 1}:8)\n    at ${pathToFileURL(file)}:${line + 1}:8`
  expect(withSourceLines(trace)).toBe(`Error: no\n    at one (${place})\n    at ${place}`)
})

test("leaves positions in files without a map unchanged", () => {
  const text =
    "at one (file:///nowhere/at-all.js:1:2), node:internal/x.js:3:4, file://elsewhere/x.js:1:2 and https://example.com/app.js:5:6"
  expect(withSourceLines(text)).toBe(text)
  expect(withSourceLines("Nothing went wrong.")).toBe("Nothing went wrong.")
})

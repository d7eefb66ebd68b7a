import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeEach, expect, test } from "vitest"
import { buildOfSource, recordSource } from "../../src/server/SourceBuild.ts"

const top = mkdtempSync(join(tmpdir(), "source-build-"))
afterAll(() => rmSync(top, { recursive: true, force: true }))

const root = join(top, "repository")
const folder = join(root, "dist")
const entry = join(folder, "sallyport.js")

beforeEach(() => {
  rmSync(root, { recursive: true, force: true })
  for (const path of ["src/core", "docs/guides", "dist"]) mkdirSync(join(root, path), { recursive: true })
  for (const file of [
    "src/Main.ts",
    "src/core/Users.ts",
    "docs/guides/first-steps.md",
    "docs/logs.md",
    "package-lock.json"
  ])
    writeFileSync(join(root, file), file)
  writeFileSync(entry, "")
})

test("a build is used if it was made from the current source", () => {
  recordSource(root, folder)
  expect(buildOfSource(root, folder)).toBe(entry)
})

test.each([
  "src/core/Users.ts",
  "docs/guides/first-steps.md",
  "docs/logs.md",
  "package-lock.json"
])("a build is rejected after a change to %s until the next build", (file) => {
  recordSource(root, folder)
  appendFileSync(join(root, file), " ")
  expect(buildOfSource(root, folder)).toBeUndefined()
  recordSource(root, folder)
  expect(buildOfSource(root, folder)).toBe(entry)
})

test("a build is rejected after a file was added, removed or renamed", () => {
  recordSource(root, folder)
  writeFileSync(join(root, "src/New.ts"), "")
  expect(buildOfSource(root, folder)).toBeUndefined()
  rmSync(join(root, "src/New.ts"))
  expect(buildOfSource(root, folder)).toBe(entry)
  writeFileSync(join(root, "src/core/Members.ts"), "src/core/Users.ts")
  rmSync(join(root, "src/core/Users.ts"))
  expect(buildOfSource(root, folder)).toBeUndefined()
})

test("a missing build or a missing build record is detected", () => {
  expect(buildOfSource(root, folder)).toBeUndefined()
  recordSource(root, folder)
  rmSync(entry)
  expect(buildOfSource(root, folder)).toBeUndefined()
})

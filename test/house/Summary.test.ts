import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"

const root = new URL("../../", import.meta.url).pathname

const folder = mkdtempSync(join(tmpdir(), "sallyport-summary-"))
afterAll(() => rmSync(folder, { recursive: true }))

interface Run {
  /** Vitest's reports by step name. */
  readonly reports?: Readonly<Record<string, unknown>>
  /** The output of each step, by its name. */
  readonly printed?: Readonly<Record<string, string>>
  readonly failed?: ReadonlyArray<string>
}

let runs = 0

/** The summary that `.ci/run` prints at the end. */
const summaryOf = ({ reports = {}, printed = {}, failed = [] }: Run): ReadonlyArray<string> => {
  const here = join(folder, String(++runs))
  for (const kind of ["reports", "logs"]) mkdirSync(join(here, kind), { recursive: true })
  for (const [name, report] of Object.entries(reports))
    writeFileSync(join(here, "reports", `${name}.json`), JSON.stringify(report))
  for (const [name, text] of Object.entries(printed)) writeFileSync(join(here, "logs", name), text)
  const words = [".ci/summary.mjs", join(here, "reports"), join(here, "logs"), ...failed]
  return execFileSync(process.execPath, words, { cwd: root, encoding: "utf8" }).trimEnd().split("\n")
}

const passing = {
  numPassedTests: 2,
  testResults: [
    { name: `${root}test/v2/Orgs.test.ts`, status: "passed", assertionResults: [{ status: "passed", fullName: "One" }] }
  ]
}

test("the summary contains only the verdict if all steps passed", () => {
  expect(summaryOf({ reports: { test: passing, "test:browser": passing } })).toEqual(["4 passed, 0 failed"])
})

test("the summary names each failed test with the first line of its message, and each file that failed to load", () => {
  const report = {
    numPassedTests: 1,
    testResults: [
      {
        name: `${root}test/v2/Users.test.ts`,
        status: "failed",
        assertionResults: [
          { status: "passed", fullName: "A user" },
          { status: "failed", fullName: "Users are found", failureMessages: ["Error: expected 404\n    at a line"] }
        ]
      },
      {
        name: `${root}test/v2/Apps.test.ts`,
        status: "failed",
        message: "SyntaxError: a word\nat",
        assertionResults: []
      }
    ]
  }
  expect(summaryOf({ reports: { test: report }, failed: ["test"] })).toEqual([
    "failed: test test/v2/Users.test.ts > Users are found: Error: expected 404",
    "failed: test test/v2/Apps.test.ts: SyntaxError: a word",
    "1 passed, 2 failed"
  ])
})

test("the summary counts each failed gate as one failure if all tests passed", () => {
  const printed = { test: "Statements:\nGate failed: never on PostgreSQL, first in a test: select 1\n" }
  expect(summaryOf({ reports: { test: passing }, printed, failed: ["test"] })).toEqual([
    "failed: test: never on PostgreSQL, first in a test: select 1",
    "2 passed, 1 failed"
  ])
})

test("the summary reports an error outside of any test", () => {
  const printed = {
    test: "⎯ Unhandled Errors ⎯\n\n⎯ Unhandled Rejection ⎯\n\u001b[31mError: nobody waited\u001b[39m\n at"
  }
  expect(summaryOf({ reports: { test: passing }, printed, failed: ["test"] })).toEqual([
    "failed: test: Error: nobody waited",
    "2 passed, 1 failed"
  ])
})

test("the summary names a failed step that runs no tests, with the reason from the step's output", () => {
  const printed = {
    "check:types": "\n> sallyport@0.1.0 check:types\n> tsc\n\nsrc/a.ts(3,4): error TS2322: A type.\nsrc/b.ts: error\n"
  }
  expect(summaryOf({ printed, failed: ["check:types", "npm-ci"] })).toEqual([
    "failed: check:types: src/a.ts(3,4): error TS2322: A type.",
    "failed: npm-ci: no message",
    "0 passed, 2 failed"
  ])
})

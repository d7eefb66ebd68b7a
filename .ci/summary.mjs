// Prints each failure with the first line of its message, followed by the verdict: `142 passed, 1 failed`. Arguments: a
// folder with vitest's reports (`NAME.json`), a folder with the outputs of the steps (`NAME`), and the names of the
// failed steps.
import { existsSync, readdirSync, readFileSync } from "node:fs"

const [reports, logs, ...steps] = process.argv.slice(2)

const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g")

const linesOf = (text) =>
  text
    .replaceAll(colours, "")
    .split("\n")
    .filter((line) => line.trim() !== "")

const printedBy = (name) => (existsSync(`${logs}/${name}`) ? linesOf(readFileSync(`${logs}/${name}`, "utf8")) : [])

const firstLine = (text) => linesOf(text ?? "")[0]?.trim() ?? "no message"

/**
 * Returns the most informative line about a step's failure: the first line that reports an error, or otherwise the last
 * line.
 */
const reasonOf = (name) => {
  const printed = printedBy(name).filter((line) => !/^(?:>|npm (?:warn|notice)|== )/.test(line))
  return (
    printed.find((line) => /\b(?:error|fail(?:s|ed)?)\b|[✖×]/i.test(line)) ??
    printed.at(-1) ??
    "no message"
  ).trim()
}

const readReport = (file) => {
  try {
    return JSON.parse(readFileSync(`${reports}/${file}`, "utf8"))
  } catch {
    return undefined
  }
}

const nameOf = (file) => file.name.replace(`${process.cwd()}/`, "")

const suites = readdirSync(reports)
  .filter((file) => file.endsWith(".json"))
  .map((file) => ({ name: file.slice(0, -".json".length), report: readReport(file) }))
  .filter(({ report }) => report !== undefined)

const failures = suites.flatMap(({ name, report }) =>
  report.testResults.flatMap((file) => {
    const failed = file.assertionResults.filter(({ status }) => status === "failed")
    // A file that could not be loaded, or failed before its first test, counts as one failure.
    if (failed.length === 0 && file.status === "failed") {
      return [{ suite: name, line: `${nameOf(file)}: ${firstLine(file.message)}` }]
    }
    return failed.map((test) => ({
      suite: name,
      line: `${nameOf(file)} > ${test.fullName.trim()}: ${firstLine(test.failureMessages?.[0])}`
    }))
  })
)

/** Failures that a test run reports besides failed tests (test/suite/Report.ts), and errors outside of tests. */
const besides = (name) => {
  const printed = printedBy(name)
  const gates = printed.filter((line) => line.startsWith("Gate failed: "))
  if (gates.length > 0) return gates.map((line) => line.slice("Gate failed: ".length))
  const at = printed.findIndex(
    (line) => /Unhandled (?:Error|Rejection)/.test(line) && !line.includes("Unhandled Errors")
  )
  return [at < 0 ? reasonOf(name) : (printed[at + 1] ?? printed[at]).trim()]
}

// A run that failed although all of its tests passed counts as one failure, like any other step.
const named = new Set(failures.map(({ suite }) => suite))
const others = steps
  .filter((name) => !named.has(name))
  .map((name) =>
    (suites.some((suite) => suite.name === name) ? besides(name) : [reasonOf(name)]).map(
      (reason) => `${name}: ${reason}`
    )
  )

for (const { suite, line } of failures) console.log(`failed: ${suite} ${line}`)
for (const line of others.flat()) console.log(`failed: ${line}`)

const passed = suites.reduce((sum, { report }) => sum + report.numPassedTests, 0)
console.log(`${passed} passed, ${failures.length + others.length} failed`)

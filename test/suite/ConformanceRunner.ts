import { relative } from "node:path"
import { type RunnerTask, type RunnerTestFile, type RunnerTestSuite, TestRunner } from "vitest"
import { conformance } from "./Conformance.ts"

type Report = (files: ReadonlyArray<RunnerTestFile>) => Promise<void>

/** Keeps the tests that are listed for their file, and notes which those are. */
const keep = (suite: RunnerTestSuite, listed: ReadonlySet<string>, found: Set<string>): void => {
  suite.tasks = suite.tasks.filter((task: RunnerTask) => {
    if (task.type === "suite") {
      keep(task, listed, found)
      return task.tasks.length > 0
    }
    if (!listed.has(task.fullTestName)) return false
    found.add(task.fullTestName)
    return true
  })
}

const keepListed = (file: RunnerTestFile): void => {
  const name = relative(process.cwd(), file.filepath)
  const listed = new Set(conformance[name])
  // What has no list, or could not be loaded, stays as it is.
  if (listed.size === 0 || file.result?.state === "fail") return
  const found = new Set<string>()
  keep(file, listed, found)
  const gone = [...listed].filter((test) => !found.has(test))
  if (gone.length > 0) throw new Error(`test/suite/conformance.json names tests that ${name} lacks: ${gone.join("; ")}`)
}

/** Runs of the files of `conformance.json` only the tests that it names, as if they had no others. */
export default class ConformanceRunner extends TestRunner {
  #report: Report | undefined

  /** What vitest sets here tells its main process of the tests of a file. */
  set onCollected(report: Report | undefined) {
    this.#report = report
  }

  get onCollected(): Report | undefined {
    const report = this.#report
    if (report === undefined) return undefined
    return async (files) => {
      files.forEach(keepListed)
      await report(files)
    }
  }
}

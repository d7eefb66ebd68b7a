import { spawn } from "node:child_process"
import { existsSync, readFileSync, rmSync } from "node:fs"
import { join, relative } from "node:path"
import type { Ring } from "./Source.ts"
import type { TreeCopy } from "./TreeCopy.ts"

/** The vitest projects of `npm test`. */
const projects = ["pure", "processes", "postgres", "embedded"]

/** The time limit of a test in milliseconds. It is higher than usual, because the machine may be busy for hours. */
const TEST_TIMEOUT = 60_000

/** A test file of one project. */
export interface TestFile {
  readonly project: string
  /** The path from the root, with forward slashes. */
  readonly path: string
}

/** The duration of each passed file in seconds. */
export type Seconds = ReadonlyMap<string, number>

/**
 * The result of running test files. `by`: the first failed test, with its message. `path`: the file of this test, or
 * undefined if the whole run timed out, or failed outside of the tests. `passed`: the files that had passed by then.
 */
export type Outcome =
  | { readonly _tag: "Passed"; readonly passed: Seconds }
  | {
      readonly _tag: "Failed" | "TimedOut"
      readonly by: string
      readonly path: string | undefined
      readonly passed: Seconds
    }

interface Report {
  readonly testResults: ReadonlyArray<{
    readonly name: string
    readonly status: string
    readonly message: string | null
    readonly startTime: number
    readonly endTime: number
    readonly assertionResults: ReadonlyArray<{
      readonly status: string
      readonly fullName: string
      readonly failureMessages: ReadonlyArray<string | null>
    }>
  }>
}

/** Kills a process group. */
const endGroup = (pid: number): void => {
  try {
    process.kill(-pid, "SIGKILL")
  } catch {
    // The process has already ended.
  }
}

/** The running process groups, which are killed when this process exits. */
const runningGroups = new Set<number>()
process.once("exit", () => runningGroups.forEach(endGroup))

/** Runs vitest in the copy. Returns its exit code, or undefined if it timed out. */
const vitest = (tree: TreeCopy, args: ReadonlyArray<string>, limitSeconds: number): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const command = join(tree.root, "node_modules/vitest/vitest.mjs")
    const env = { ...process.env, CI: "true", TMPDIR: tree.temporary }
    const child = spawn(process.execPath, [command, ...args], {
      cwd: tree.root,
      env,
      stdio: "ignore",
      // In its own group, so that it can be killed together with its child processes.
      detached: true
    })
    const { pid = 0 } = child
    runningGroups.add(pid)
    let isTimedOut = false
    const timer = setTimeout(() => {
      isTimedOut = true
      endGroup(pid)
    }, limitSeconds * 1_000)
    child.once("error", reject)
    child.once("exit", (code) => {
      clearTimeout(timer)
      endGroup(pid)
      runningGroups.delete(pid)
      resolve(isTimedOut ? undefined : (code ?? 1))
    })
  })

/** All test files of `npm test`. */
export const listTests = async (tree: TreeCopy): Promise<ReadonlyArray<TestFile>> => {
  const file = join(tree.temporary, "files.json")
  const args = ["list", "--filesOnly", `--json=${file}`, ...projects.map((name) => `--project=${name}`)]
  if ((await vitest(tree, args, 120)) !== 0) throw new Error("vitest could not list the test files")
  const files: ReadonlyArray<{ readonly file: string; readonly projectName: string }> = JSON.parse(
    readFileSync(file, "utf8")
  )
  return files.map(({ file, projectName }) => ({
    project: projectName,
    path: relative(tree.root, file).replaceAll("\\", "/")
  }))
}

/** Returns the tests to run against a mutant. Repeating them on the embedded database can only catch mutants of `src/sql`. */
export const testsFor = (ring: Ring, tests: ReadonlyArray<TestFile>): ReadonlyArray<TestFile> => {
  const otherPaths = new Set(tests.flatMap(({ project, path }) => (project === "embedded" ? [] : [path])))
  return tests.filter(({ project, path }) => ring === "sql" || project !== "embedded" || !otherPaths.has(path))
}

const firstLine = (text: string): string => text.split("\n")[0] ?? ""

/**
 * Returns the first test that failed or, if there is none, timed out. Otherwise returns the first file that could not
 * be loaded.
 */
const failureIn = ({ testResults }: Report, root: string, passed: Seconds): Outcome => {
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const path = relative(root, name)
    const tests = assertionResults
      .filter((test) => test.status === "failed")
      .map(({ fullName, failureMessages: [message] }) => {
        const how = message ?? ""
        return { path, how, by: `${path}: ${fullName}: ${firstLine(how)}` }
      })
    // Files that were skipped after the first failure don't have a message.
    const how = message ?? ""
    const isUnloaded = status === "failed" && tests.length === 0 && how !== ""
    return isUnloaded ? [{ path, how, by: `${path}: ${firstLine(how)}` }] : tests
  })
  const isTimeout = ({ how }: { readonly how: string }) => /\btimed out in \d+ms/.test(how)
  const failed = failures.find((failure) => !isTimeout(failure))
  if (failed !== undefined) return { _tag: "Failed", by: failed.by, path: failed.path, passed }
  const [late] = failures
  return late === undefined
    ? { _tag: "Failed", by: "an error outside of the tests", path: undefined, passed }
    : { _tag: "TimedOut", by: late.by, path: late.path, passed }
}

/** Runs test files until the first failure. */
export const runTests = async (
  tree: TreeCopy,
  files: ReadonlyArray<TestFile>,
  limitSeconds: number
): Promise<Outcome> => {
  const output = join(tree.temporary, "report.json")
  rmSync(output, { force: true })
  const projects = [...new Set(files.map(({ project }) => project))]
  const times = [`--testTimeout=${TEST_TIMEOUT}`, `--hookTimeout=${TEST_TIMEOUT}`]
  const args = ["run", "--bail=1", "--reporter=json", `--outputFile=${output}`, ...times]
  const code = await vitest(
    tree,
    [...args, ...projects.map((name) => `--project=${name}`), ...files.map(({ path }) => join(tree.root, path))],
    limitSeconds
  )
  const report: Report = existsSync(output) ? JSON.parse(readFileSync(output, "utf8")) : { testResults: [] }
  const passed = new Map(
    report.testResults
      .filter(({ status }) => status === "passed")
      .map(({ name, startTime, endTime }) => [relative(tree.root, name), (endTime - startTime) / 1_000])
  )
  if (code === undefined)
    return { _tag: "TimedOut", by: `${limitSeconds} seconds for the run`, path: undefined, passed }
  return code === 0 ? { _tag: "Passed", passed } : failureIn(report, tree.root, passed)
}

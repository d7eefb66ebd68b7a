import { execFileSync, spawn } from "node:child_process"
import { existsSync, globSync, mkdirSync } from "node:fs"
import { basename, join } from "node:path"
import { quickPure } from "../../vitest.config.ts"

/**
 * Runs the quick checks during work: lint, types, the format of changed files, quick pure tests, and the tests of
 * changed files.
 */
const root = join(import.meta.dirname, "../..")
const bin = (name: string) => join(root, "node_modules/.bin", name)
const cache = join(root, "node_modules/.cache/sallyport")
mkdirSync(cache, { recursive: true })

const git = (...args: ReadonlyArray<string>): ReadonlyArray<string> => {
  try {
    return execFileSync("git", args, { cwd: root, encoding: "utf8" })
      .split("\n")
      .filter((line) => line !== "")
  } catch {
    return []
  }
}

/** The files that differ from the last commit, including new ones. */
const changed = [...git("diff", "--name-only", "HEAD"), ...git("ls-files", "--others", "--exclude-standard")]

/** The tests of a changed file: the file itself if it is a test, or the tests with its name. */
const testsOf = (file: string): ReadonlyArray<string> => {
  if (file.startsWith("test/browser/") || !file.endsWith(".ts")) return []
  if (file.endsWith(".test.ts")) return existsSync(join(root, file)) ? [file] : []
  if (!file.startsWith("src/")) return []
  return globSync(`test/**/${basename(file, ".ts")}*.test.ts`, { cwd: root }).filter(
    (name) => !name.startsWith("test/browser/")
  )
}

const vitest = (name: string, ...args: ReadonlyArray<string>) => ({
  name,
  command: bin("vitest"),
  args: ["run", "--reporter=dot", ...args]
})

/** Parallel checkers each compute the types they share. One checker needs less than half the CPU time of four checkers. */
const checking = ["--checkers", "1", "--incremental"]

const tests = [...new Set(changed.flatMap(testsOf))]
const written = changed.filter((file) => existsSync(join(root, file)))
const databases = [
  "pure",
  "processes",
  "postgres",
  ...(tests.some((file) => file.includes("/embedded/")) ? ["embedded"] : [])
]
const steps = [
  // Formatting a file depends on no other file.
  ...(written.length === 0
    ? []
    : [{ name: "format", command: bin("biome"), args: ["check", "--no-errors-on-unmatched", ...written] }]),
  { name: "lint", command: bin("oxlint"), args: ["--deny-warnings"] },
  { name: "types", command: bin("tsc"), args: [...checking, "--tsBuildInfoFile", join(cache, "types.json")] },
  {
    name: "types of the console",
    command: bin("tsc"),
    args: ["-p", "src/admin", ...checking, "--tsBuildInfoFile", join(cache, "console.json")]
  },
  vitest("quick tests", "--project", "pure", ...quickPure.flatMap((pattern) => globSync(pattern, { cwd: root }))),
  ...(tests.length === 0
    ? []
    : [vitest("tests of changed files", ...databases.flatMap((name) => ["--project", name]), ...tests)])
]

const began = performance.now()
const seconds = () => `${((performance.now() - began) / 1_000).toFixed(1)} s`

const run = ({ name, command, args }: (typeof steps)[number]): Promise<boolean> =>
  new Promise((resolve) => {
    let output = ""
    const child = spawn(command, args, { cwd: root })
    child.stdout.on("data", (chunk) => (output += chunk))
    child.stderr.on("data", (chunk) => (output += chunk))
    child.on("close", (code) => {
      console.log(`${code === 0 ? "passed" : "FAILED"}  ${name}, after ${seconds()}`)
      if (code !== 0) console.log(output)
      resolve(code === 0)
    })
  })

const passed = await Promise.all(steps.map(run))
if (tests.length > 0) console.log(`Tests of changed files: ${tests.join(", ")}`)
process.exitCode = passed.every(Boolean) ? 0 : 1

import { randomInt } from "node:crypto"
import { parseArgs } from "node:util"
import { table } from "../test/harness/Figures.ts"

import { SeededRandom } from "../test/harness/SeededRandom.ts"
import { groupByLikelihood } from "./mutants/Likely.ts"
import type { Mutant, Operator } from "./mutants/Operator.ts"
import { operators } from "./mutants/Operators.ts"
import { findMutants, root, sampleOf, withoutEquivalents } from "./mutants/Sites.ts"
import { rings } from "./mutants/Source.ts"
import { listTests, type Outcome, runTests, type Seconds, type TestFile, testsFor } from "./mutants/Suite.ts"
import { copyTree, type TreeCopy } from "./mutants/TreeCopy.ts"

/** The sizes of the first groups of test files, which are likely to catch a mutant. The other files run last. */
const GROUP_SIZES = [12, 60]

/** The time limit of a run, in seconds: at least this long, and at least a multiple of its time without a mutant. */
const MIN_SECONDS = 120
const SLACK = 3

const { values: options } = parseArgs({
  allowNegative: true,
  options: {
    sample: { type: "string", default: "40" },
    seed: { type: "string", default: String(randomInt(2 ** 31)) },
    ring: { type: "string" },
    operator: { type: "string" },
    at: { type: "string" },
    list: { type: "boolean", default: false },
    baseline: { type: "boolean", default: true },
    likely: { type: "boolean", default: false }
  }
})
const began = performance.now()
const logProgress = (text: string) =>
  process.stderr.write(`${((performance.now() - began) / 1_000).toFixed(0)} s: ${text}\n`)

const isAsked = ({ ring, operator, path, line }: Mutant): boolean =>
  (options.ring === undefined || options.ring === ring) &&
  (options.operator === undefined || options.operator === operator) &&
  (options.at === undefined || options.at === path || options.at === `${path}:${line}`)

const show = ({ path, line, operator, before, after }: Mutant): string =>
  [`${path}:${line} (${operator})`, ...before.split("\n").map((text) => `  - ${text}`)]
    .concat(after.split("\n").map((text) => `  + ${text}`))
    .join("\n")

/**
 * Separates files that run on the embedded database from the others. Some files run on both, and vitest selects files
 * only by name.
 */
const groupByDatabase = (files: ReadonlyArray<TestFile>): ReadonlyArray<ReadonlyArray<TestFile>> =>
  [false, true]
    .map((embedded) => files.filter(({ project }) => (project === "embedded") === embedded))
    .filter(({ length }) => length > 0)

/**
 * Runs test files until one fails. Unless the mutant certainly caused the failure, the file must fail a second time on
 * its own, because any test may time out on a busy machine. `known`: the duration of the files without a mutant.
 */
const runUntilFailure = async (
  tree: TreeCopy,
  files: ReadonlyArray<TestFile>,
  known: Seconds,
  isSure: (outcome: Outcome) => boolean
): Promise<Outcome> => {
  const limit = MIN_SECONDS + SLACK * files.reduce((sum, { path }) => sum + (known.get(path) ?? 5), 0)
  const outcome = await runTests(tree, files, Math.round(limit))
  if (outcome._tag === "Passed" || outcome.path === undefined || isSure(outcome)) return outcome
  const isFailed = ({ path }: TestFile) => path === outcome.path
  const again = await runTests(tree, files.filter(isFailed), Math.round(limit))
  if (again._tag !== "Passed") return again
  logProgress(`failed once, and not again: ${outcome.by}`)
  const passed = new Map([...outcome.passed, ...again.passed])
  const left = files.filter(({ path }) => !passed.has(path))
  if (left.length === 0) return { _tag: "Passed", passed }
  const rest = await runUntilFailure(tree, left, known, isSure)
  return { ...rest, passed: new Map([...passed, ...rest.passed]) }
}

/** Runs the whole suite without a mutant, which must pass. Returns the duration of each file. */
const runBaseline = async (tree: TreeCopy, tests: ReadonlyArray<TestFile>): Promise<Seconds> => {
  logProgress(`${tests.length} test files without a mutant`)
  const seconds = new Map<string, number>()
  for (const files of groupByDatabase(tests)) {
    const outcome = await runUntilFailure(tree, files, seconds, () => false)
    if (outcome._tag !== "Passed") throw new Error(`The tests fail without a mutant: ${outcome.by}`)
    for (const [path, taken] of outcome.passed) seconds.set(path, taken)
  }
  return seconds
}

/**
 * Runs the tests against a mutant, starting with those that are most likely to catch it. The whole suite runs only for
 * mutants that survive these.
 */
const attack = async (
  tree: TreeCopy,
  tests: ReadonlyArray<TestFile>,
  seconds: Seconds,
  mutant: Mutant,
  operator: Operator
): Promise<Outcome> => {
  const [likeliest = [], ...others] = groupByLikelihood(root, tests, mutant, operator, GROUP_SIZES)
  for (const files of options.likely ? [likeliest] : [likeliest, ...others]) {
    for (const some of groupByDatabase(files)) {
      const isSure = ({ _tag }: Outcome) => _tag === "Failed" && files === likeliest
      const outcome = await runUntilFailure(tree, some, seconds, isSure)
      if (outcome._tag !== "Passed") return outcome
    }
  }
  return { _tag: "Passed", passed: seconds }
}

interface Result {
  readonly mutant: Mutant
  readonly outcome: Outcome
}

const isCaught = ({ outcome }: Result): boolean => outcome._tag !== "Passed"

/** Counts the caught, timed-out and surviving mutants, by ring or by operator. */
const tally = (results: ReadonlyArray<Result>, key: "ring" | "operator", names: ReadonlyArray<string>) =>
  names.flatMap((name) => {
    const some = results.filter(({ mutant }) => mutant[key] === name)
    if (some.length === 0) return []
    const caught = some.filter(isCaught).length
    const timedOut = some.filter(({ outcome }) => outcome._tag === "TimedOut").length
    return [[name, String(caught), String(timedOut), String(some.length - caught)]]
  })

const report = (results: ReadonlyArray<Result>): void => {
  const head = ["caught", "of these by a time-out", "survived"]
  console.log(table(["ring", ...head], tally(results, "ring", rings)))
  console.log()
  const names = operators.map(({ name }) => name)
  console.log(table(["operator", ...head], tally(results, "operator", names)))
  const survivors = results.filter((result) => !isCaught(result))
  console.log(`\n${results.length - survivors.length} of ${results.length} mutants caught (seed ${options.seed})`)
  for (const { mutant } of survivors) console.log(`\nsurvived: ${show(mutant)}`)
}

const mutants = withoutEquivalents(findMutants(operators)).filter(isAsked)
const sample = sampleOf(mutants, Number(options.sample), new SeededRandom(Number(options.seed)))
logProgress(`${sample.length} of ${mutants.length} mutants, seed ${options.seed}`)

if (options.list) {
  for (const mutant of sample) console.log(show(mutant))
} else {
  const tree = copyTree(root)
  process.once("exit", tree.remove)
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1))
  const tests = await listTests(tree)
  const seconds = options.baseline ? await runBaseline(tree, tests) : new Map<string, number>()
  const results: Array<Result> = []
  for (const mutant of sample) {
    const operator = operators.find(({ name }) => name === mutant.operator)
    if (operator === undefined) continue
    const shown = testsFor(mutant.ring, tests)
    const outcome = await tree.withMutant(mutant, () => attack(tree, shown, seconds, mutant, operator))
    results.push({ mutant, outcome })
    const how = { Passed: "survived", TimedOut: "caught by a time-out", Failed: "caught" }[outcome._tag]
    logProgress(
      `${results.length}/${sample.length} ${how}: ${show(mutant)}${outcome._tag === "Passed" ? "" : `\n  by ${outcome.by}`}`
    )
  }
  report(results)
  if (!results.every(isCaught)) process.exitCode = 1
}

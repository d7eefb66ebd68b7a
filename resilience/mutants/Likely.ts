import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Mutant, Operator } from "./Operator.ts"
import type { TestFile } from "./Suite.ts"

/** What many files are called, whatever they are about. */
const anyFile =
  /^(?:src|test|ts|api|http|core|hosted|store|repo|bodies|handlers|endpoints|fields|requests|page|pages|view|v\d)$/

/** The words of a path, in the singular: `src/core/orgs/Orgs.ts` is about `org`. */
const wordsOf = (path: string): ReadonlySet<string> =>
  new Set(
    path
      .replaceAll(/([a-z])(?=[A-Z\d])/g, "$1 ")
      .toLowerCase()
      .split(/[^a-z\d]+/)
      .map((word) => word.replace(/(?<=..)s$/, ""))
      .filter((word) => word !== "" && !anyFile.test(word))
  )

/** How likely a test file is to catch a mutant; 0: not more than any other. */
const scoreOf = (test: TestFile, text: string, { path }: Mutant, caughtBy: RegExp | undefined): number => {
  const words = wordsOf(path)
  const shared = [...wordsOf(test.path)].filter((word) => words.has(word)).length
  const [, module = ""] = /^src\/(.+)\.ts$/.exec(path) ?? []
  const imports = text.includes(`"#${module}"`)
  // A test of the surface imports nothing of the source: it names the path that it calls.
  const calls = [...words].some((word) => new RegExp(`/${word}s?\\b`).test(text))
  return shared * 2 + (imports ? 5 : 0) + (calls ? 1 : 0) + (caughtBy?.test(test.path) === true ? 3 : 0)
}

/**
 * Sorts the test files into groups by how likely they are to catch a mutant, the likeliest first: one of each size, of files that
 * have anything to do with it, and one of all others. Tests of the repository's own texts come last: they may fail for how a
 * line is written.
 */
export const groupByLikelihood = (
  root: string,
  tests: ReadonlyArray<TestFile>,
  mutant: Mutant,
  { caughtBy }: Operator,
  sizes: ReadonlyArray<number>
): ReadonlyArray<ReadonlyArray<TestFile>> => {
  const scores = new Map(
    tests.map((test) => {
      const score = scoreOf(test, readFileSync(join(root, test.path), "utf8"), mutant, caughtBy)
      return [test, test.path.startsWith("test/house/") ? 0 : score]
    })
  )
  const sorted = tests
    .filter((test) => (scores.get(test) ?? 0) > 0)
    .toSorted((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0))
  const near = sizes.map((size) => sorted.splice(0, size))
  const grouped = new Set(near.flat())
  return [...near, tests.filter((test) => !grouped.has(test))]
}

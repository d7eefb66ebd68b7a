import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Mutant, Operator } from "./Operator.ts"
import type { TestFile } from "./Suite.ts"

/** Words in file names that don't describe the subject. */
const anyFile =
  /^(?:src|test|ts|api|http|core|hosted|store|repo|bodies|handlers|endpoints|fields|requests|page|pages|view|v\d)$/

/** Returns the words of a path in the singular, without common words: `src/core/orgs/Orgs.ts` returns `org`. */
const wordsOf = (path: string): ReadonlySet<string> =>
  new Set(
    path
      .replaceAll(/([a-z])(?=[A-Z\d])/g, "$1 ")
      .toLowerCase()
      .split(/[^a-z\d]+/)
      .map((word) => word.replace(/(?<=..)s$/, ""))
      .filter((word) => word !== "" && !anyFile.test(word))
  )

/** Scores how likely a test file is to catch a mutant. Returns 0 for unrelated files. */
const scoreOf = (test: TestFile, text: string, { path }: Mutant, caughtBy: RegExp | undefined): number => {
  const words = wordsOf(path)
  const shared = [...wordsOf(test.path)].filter((word) => words.has(word)).length
  const [, module = ""] = /^src\/(.+)\.ts$/.exec(path) ?? []
  const imports = text.includes(`"#${module}"`)
  // Tests of an API don't import the source, but contain the paths that they call.
  const calls = [...words].some((word) => new RegExp(`/${word}s?\\b`).test(text))
  return shared * 2 + (imports ? 5 : 0) + (calls ? 1 : 0) + (caughtBy?.test(test.path) === true ? 3 : 0)
}

/**
 * Groups the test files by how likely they are to catch a mutant, starting with the most likely. There is a group of
 * each size for related files, and one for all others. House tests come last, because they may fail just because of a
 * line's formatting.
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

import type { Rule } from "./Operator.ts"
import { afterBracket } from "./Source.ts"

/** A rule for words that are mistaken for one another. `form`: the pattern around any of them. */
export const swap = (
  pairs: ReadonlyArray<readonly [one: string, other: string]>,
  form: (anyOfThem: string) => string
): Rule => {
  const swapped = new Map(pairs.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]))
  const longestFirst = [...swapped.keys()].toSorted((a, b) => b.length - a.length)
  const escaped = longestFirst.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
  return {
    within: "code",
    pattern: new RegExp(form(`(?:${escaped.join("|")})`), "g"),
    change: ([word]) => swapped.get(word)
  }
}

/** A rule for calls that are left out. The pattern ends with the opening parenthesis of the call. */
export const withoutCall = (pattern: RegExp, replacement: string): Rule => ({
  within: "code",
  pattern,
  change: (match, source) => {
    const end = afterBracket(source, match.index + match[0].length - 1)
    return end === undefined ? undefined : { start: match.index, end, replacement }
  }
})

/** A rule for numbers. `change` gets the number. */
export const numbers = (
  pattern: RegExp,
  change: (number: number, match: RegExpExecArray) => number | undefined
): Rule => ({
  within: "code",
  pattern,
  change: (match) => change(Number(match[0].replaceAll("_", "")), match)?.toString()
})

/** Whether a piece of code closes every bracket that it opens. */
export const isBalanced = (code: string): boolean =>
  ["()", "[]", "{}"].every(([open = "", close = ""]) => code.split(open).length === code.split(close).length)

import type { Rule } from "./Operator.ts"
import { afterBracket } from "./Source.ts"

/** A rule that swaps the words of each pair. `form`: adds the context to a pattern that matches any of the words. */
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

/** A rule that replaces calls. The pattern ends with the opening parenthesis of the call. */
export const withoutCall = (pattern: RegExp, replacement: string): Rule => ({
  within: "code",
  pattern,
  change: (match, source) => {
    const end = afterBracket(source, match.index + match[0].length - 1)
    return end === undefined ? undefined : { start: match.index, end, replacement }
  }
})

/** A rule that changes numbers. */
export const numbers = (
  pattern: RegExp,
  change: (number: number, match: RegExpExecArray) => number | undefined
): Rule => ({
  within: "code",
  pattern,
  change: (match) => change(Number(match[0].replaceAll("_", "")), match)?.toString()
})

/** Whether all brackets in a piece of code are closed. */
export const isBalanced = (code: string): boolean =>
  ["()", "[]", "{}"].every(([open = "", close = ""]) => code.split(open).length === code.split(close).length)

import { lineAt, linesAround, type Ring, type Source } from "./Source.ts"

/** Replaces a range of a file. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly replacement: string
}

/** A pattern, the text to search (see `Source`), and the replacement for a match: a text, an edit, or undefined for none. */
export interface Rule {
  readonly within: "code" | "strings"
  readonly pattern: RegExp
  readonly change: (match: RegExpExecArray, source: Source) => string | Edit | undefined
}

/** A kind of defect. */
export interface Operator {
  readonly name: string
  readonly description: string
  readonly rings: ReadonlyArray<Ring>
  readonly rules: ReadonlyArray<Rule>
  /** Test files that are likely to catch these mutants, in addition to those with the same subject. */
  readonly caughtBy?: RegExp
}

/** A defect at one place in one file. */
export interface Mutant extends Edit {
  readonly operator: string
  readonly ring: Ring
  readonly path: string
  readonly line: number
  /** The changed lines, trimmed. */
  readonly before: string
  readonly after: string
}

/** Returns the text of a file with a mutant applied. */
export const applyMutant = (text: string, { start, end, replacement }: Edit): string =>
  text.slice(0, start) + replacement + text.slice(end)

const trimLines = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trim())
    .join("\n")
    .trim()

const mutantOf = (operator: Operator, source: Source, edit: Edit): Mutant => {
  const { path, ring, text } = source
  const mutated = applyMutant(text, edit)
  return {
    ...edit,
    operator: operator.name,
    ring,
    path,
    line: lineAt(text, edit.start),
    before: trimLines(linesAround(text, edit.start, edit.end)),
    after: trimLines(linesAround(mutated, edit.start, edit.start + edit.replacement.length))
  }
}

/** Returns the mutants that an operator finds in a source file, in order. */
export const mutantsOf = (operator: Operator, source: Source): ReadonlyArray<Mutant> => {
  if (!operator.rings.includes(source.ring)) return []
  const found = operator.rules.flatMap(({ within, pattern, change }) =>
    [...source[within].matchAll(pattern)].flatMap((match) => {
      const changed = change(match, source)
      if (changed === undefined) return []
      const edit =
        typeof changed === "string"
          ? { start: match.index, end: match.index + match[0].length, replacement: changed }
          : changed
      return source.text.slice(edit.start, edit.end) === edit.replacement ? [] : [mutantOf(operator, source, edit)]
    })
  )
  return found.toSorted((a, b) => a.start - b.start)
}

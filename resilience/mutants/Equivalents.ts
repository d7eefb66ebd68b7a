import type { Mutant } from "./Operator.ts"

/**
 * A mutant that behaves like the original code. It is identified by the content of its line, so that it is still found
 * if the line moves.
 */
export interface Equivalent extends Pick<Mutant, "path" | "operator" | "before"> {
  /** The reason why no test can catch it. */
  readonly reason: string
}

export const equivalents: ReadonlyArray<Equivalent> = [
  {
    path: "src/sql/PgliteImage.ts",
    operator: "comparison",
    before: 'if (name.startsWith("pglite-") && age > UNUSED_MILLIS) rmSync(join(folder, name), { force: true })',
    reason: "A test would have to write another image exactly seven days after the last use, to the millisecond."
  }
]

export const isEquivalent = (known: Equivalent, { path, operator, before }: Mutant): boolean =>
  known.path === path && known.operator === operator && known.before === before

import type { Mutant } from "./Operator.ts"

/** A mutant that behaves like the original code. It is identified by its line, so that it is still found when it moves. */
export interface Equivalent extends Pick<Mutant, "path" | "operator" | "before"> {
  /** Why no test can catch it. */
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

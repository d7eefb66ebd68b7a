import type { Mutant } from "./Operator.ts"

/** A mutant that nobody can tell from the code as it is. It is found by its lines, so that it may move. */
export interface Equivalent extends Pick<Mutant, "path" | "operator" | "before"> {
  /** Why no test can catch it. */
  readonly reason: string
}

export const equivalents: ReadonlyArray<Equivalent> = [
  {
    path: "src/sql/PgliteImage.ts",
    operator: "comparison",
    before: 'if (name.startsWith("pglite-") && age > UNUSED_MILLIS) rmSync(join(folder, name), { force: true })',
    reason: "An image would have to be unused for seven days to the millisecond when another one is written."
  }
]

export const isEquivalent = (known: Equivalent, { path, operator, before }: Mutant): boolean =>
  known.path === path && known.operator === operator && known.before === before

/** What a scenario is run with. */
export interface Setting {
  readonly seed: number
  /** The program of the service. */
  readonly file: string
  /** Where logs and the ledger of this scenario go. */
  readonly folder: string
  /** How often a scenario with rounds does what it does. */
  readonly rounds: number
  readonly logProgress: (text: string) => void
}

/** What came of a scenario. */
export interface Outcome {
  readonly figures: ReadonlyArray<readonly [what: string, figure: string]>
  /** What did not hold, a sentence each. */
  readonly broken: ReadonlyArray<string>
}

/** A fault, and what the service promises in it. */
export interface Scenario {
  readonly name: string
  /** The row of `docs/security.md` whose promise it looks at. */
  readonly row: string
  /** The promise with its bound, which decides whether the scenario passes. */
  readonly promise: string
  readonly run: (setting: Setting) => Promise<Outcome>
}

/** This machine lacks what a scenario needs. */
export class NotPossibleHere extends Error {}

/** The input of a scenario. */
export interface Setting {
  readonly seed: number
  /** The path of the service's program. */
  readonly file: string
  /** The folder for logs and the ledger of this scenario. */
  readonly folder: string
  /** The number of rounds, for scenarios with rounds. */
  readonly rounds: number
  readonly logProgress: (text: string) => void
}

/** The result of a scenario. */
export interface Outcome {
  readonly figures: ReadonlyArray<readonly [what: string, figure: string]>
  /** The broken promises, in one sentence each. */
  readonly broken: ReadonlyArray<string>
}

/** A fault, and what the service promises during it. */
export interface Scenario {
  readonly name: string
  /** The row in `docs/security.md` with the promise. */
  readonly row: string
  /** The guarantee and its limit. The scenario passes if the guarantee holds. */
  readonly promise: string
  readonly run: (setting: Setting) => Promise<Outcome>
}

/** Thrown if this machine lacks something that a scenario needs. */
export class NotPossibleHere extends Error {}

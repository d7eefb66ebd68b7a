/**
 * The operations that a test can make fail: sending email, posting to webhooks, calling external providers, and using the
 * database.
 */
export const faultKinds = ["mail", "webhook", "provider", "database"] as const

export type FaultKind = (typeof faultKinds)[number]

/** The maximum number of consecutive failures that a test can request. */
export const MAX_FAULTS = 1_000

/** The number of failures still to come, for each kind. */
export type PendingFaults = Readonly<Record<FaultKind, number>>

const noFaults: PendingFaults = { mail: 0, webhook: 0, provider: 0, database: 0 }

/** Returns whether a value is the name of a fault kind. */
export const isFaultKind = (value: unknown): value is FaultKind => faultKinds.some((kind) => kind === value)

/** Returns whether a value is a valid number of failures. 0 clears the pending ones. */
export const isFaultCount = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_FAULTS

/** The failures that tests have requested and that have not occurred yet. */
export class FaultPlan {
  #pending = noFaults

  get pending(): PendingFaults {
    return this.#pending
  }

  /** Makes the next operations of a kind fail. Replaces any earlier request for this kind. */
  failNext(kind: FaultKind, times: number): void {
    this.#pending = { ...this.#pending, [kind]: times }
  }

  /** Returns whether the current operation should fail. Uses up one failure. */
  take(kind: FaultKind): boolean {
    const left = this.#pending[kind]
    if (left > 0) this.failNext(kind, left - 1)
    return left > 0
  }

  clear(): void {
    this.#pending = noFaults
  }
}

/** What a test can let fail: sending mails, posting to webhooks, calling external providers, and the database. */
export const faultKinds = ["mail", "webhook", "provider", "database"] as const

export type FaultKind = (typeof faultKinds)[number]

/** How many failures in a row can be asked for. */
export const MAX_FAULTS = 1_000

/** How many times each is still to fail. */
export type PendingFaults = Readonly<Record<FaultKind, number>>

const noFaults: PendingFaults = { mail: 0, webhook: 0, provider: 0, database: 0 }

/** Whether a value names what can fail. */
export const isFaultKind = (value: unknown): value is FaultKind => faultKinds.some((kind) => kind === value)

/** Whether something can be let fail so many times; 0 stands for not any more. */
export const isFaultCount = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_FAULTS

/** The failures that a test has asked for and that have not happened yet. */
export class FaultPlan {
  #pending = noFaults

  get pending(): PendingFaults {
    return this.#pending
  }

  /** Lets something fail the next times, in place of what was asked for before. */
  failNext(kind: FaultKind, times: number): void {
    this.#pending = { ...this.#pending, [kind]: times }
  }

  /** Whether something is to fail now, which counts as once. */
  take(kind: FaultKind): boolean {
    const left = this.#pending[kind]
    if (left > 0) this.failNext(kind, left - 1)
    return left > 0
  }

  clear(): void {
    this.#pending = noFaults
  }
}

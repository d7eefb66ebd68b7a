/** How something fares: `skipped` where it could not, or need not, be looked at. */
export type Verdict = "ok" | "warning" | "problem" | "skipped"

/** What a check has found. `says`: one sentence or more; `todo`: what to do about it. */
export interface Finding {
  readonly verdict: Verdict
  readonly says: string
  readonly todo?: string
}

export const ok = (says: string): Finding => ({ verdict: "ok", says })

export const skipped = (says: string): Finding => ({ verdict: "skipped", says })

export const warning = (says: string, todo: string): Finding => ({ verdict: "warning", says, todo })

export const problem = (says: string, todo: string): Finding => ({ verdict: "problem", says, todo })

/** A number with its noun: 1 mail, 3 mails. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

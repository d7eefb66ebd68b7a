/** The result of a check. `skipped`: the check was not possible or not necessary. */
export type Verdict = "ok" | "warning" | "problem" | "skipped"

/** A finding of a check. `says`: one or more sentences; `todo`: how to fix it. */
export interface Finding {
  readonly verdict: Verdict
  readonly says: string
  readonly todo?: string
}

export const ok = (says: string): Finding => ({ verdict: "ok", says })

export const skipped = (says: string): Finding => ({ verdict: "skipped", says })

export const warning = (says: string, todo: string): Finding => ({ verdict: "warning", says, todo })

export const problem = (says: string, todo: string): Finding => ({ verdict: "problem", says, todo })

/** A number with its noun: 1 email, 3 emails. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

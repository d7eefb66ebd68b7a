import type { DateTime } from "effect"
import type { AuthProvider } from "#domain/AuthProvider"
import { type Problem, problem } from "#domain/Rejected"

/** What the rows of a batch are validated with. */
export interface Validation {
  readonly now: DateTime.Utc
  /** The realm's auth providers. */
  readonly providers: ReadonlyArray<AuthProvider>
}

/** The problem of a time that must not be in the future. */
export const timeProblem = (field: string, at: DateTime.Utc | null | undefined, now: DateTime.Utc): Array<Problem> => {
  const isFuture = at !== null && at !== undefined && at.epochMilliseconds > now.epochMilliseconds
  return isFuture ? [problem(field, "in_future")] : []
}

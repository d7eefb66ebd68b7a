import type { DateTime } from "effect"
import type { AuthProvider } from "#domain/AuthProvider"
import { type Problem, problem } from "#domain/Rejected"

/** The context for validating the rows of a batch. */
export interface Validation {
  readonly now: DateTime.Utc
  /** The realm's auth providers. */
  readonly providers: ReadonlyArray<AuthProvider>
}

/** Returns a problem if a time is in the future. */
export const timeProblem = (field: string, at: DateTime.Utc | null | undefined, now: DateTime.Utc): Array<Problem> => {
  const isFuture = at !== null && at !== undefined && at.epochMilliseconds > now.epochMilliseconds
  return isFuture ? [problem(field, "in_future")] : []
}

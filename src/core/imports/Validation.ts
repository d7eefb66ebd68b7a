import type { DateTime } from "effect"
import type { AuthProvider } from "#domain/AuthProvider"
import { isGeneratedId, isId, millisOf } from "#domain/Ids"
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

/** Returns the problem with the form of an id in a row, if there is one. */
export const idFormProblem = (kind: "user" | "org", id: string, now: DateTime.Utc): Problem | undefined => {
  if (!isId(kind, id)) return problem("id", kind === "user" ? "user_id_form" : "org_id_form")
  // A reset deletes ids up to the current time, so a later id would never be deleted.
  return isGeneratedId(kind, id) && millisOf(id) > now.epochMilliseconds ? problem("id", "in_future") : undefined
}

import { Context, Effect } from "effect"
import { type Problem, Rejected } from "./Rejected.ts"

/** The problems found in a request before the operation validates the rest. The operation reports all of them together (C69). */
export const KnownProblems = Context.Reference<ReadonlyArray<Problem>>("sallyport/domain/KnownProblems", {
  defaultValue: () => []
})

/** Whether a call only validates a request. If so, its operation must not write anything. */
export const ValidationOnly = Context.Reference<boolean>("sallyport/domain/ChecksOnly", { defaultValue: () => false })

/** Fields whose rules depend on another field. Their problems are not reported while the other field is invalid. */
const dependsOn: Readonly<Record<string, string>> = {
  default_locale: "available_locales",
  destination: "hook_type",
  password: "credentials",
  password_confirmation: "password",
  session_minutes: "session_type"
}

/**
 * Merges problems. A field already known to be invalid is reported only once, since without its value other rules may seem
 * broken.
 */
export const mergeProblems = (known: ReadonlyArray<Problem>, found: ReadonlyArray<Problem>): ReadonlyArray<Problem> => {
  if (known.length === 0) return found
  const isKnown = (name: string | undefined) => name !== undefined && known.some(({ field }) => field === name)
  return [...known, ...found.filter(({ field }) => field === null || !(isKnown(field) || isKnown(dependsOn[field])))]
}

/** Rejects a request if there are any problems, including those found earlier. */
export const rejectIfAny = (problems: ReadonlyArray<Problem>): Effect.Effect<void, Rejected> =>
  Effect.flatMap(KnownProblems, (known) =>
    known.length === 0 && problems.length === 0
      ? Effect.void
      : Effect.fail(new Rejected({ problems: mergeProblems(known, problems) }))
  )

/** Rejects a request with this problem and any found earlier. */
export const rejectWith = (found: Problem): Effect.Effect<never, Rejected> =>
  Effect.flatMap(KnownProblems, (known) => Effect.fail(new Rejected({ problems: mergeProblems(known, [found]) })))

/**
 * Runs an operation on a request that is already known to have problems. The operation always rejects it, through
 * `rejectIfAny` or `rejectWith`.
 */
export const withKnownProblems = <A, E, R>(
  problems: ReadonlyArray<Problem>,
  operation: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  problems.length === 0
    ? operation
    : Effect.flatMap(KnownProblems, (known) =>
        Effect.provideService(operation, KnownProblems, mergeProblems(known, problems))
      )

import { Context, Effect } from "effect"
import { type Problem, Rejected } from "./Rejected.ts"

/**
 * The problems of a request that were found before the rest of it is checked. The operation that checks the rest reports all
 * problems together (C69).
 */
export const KnownProblems = Context.Reference<ReadonlyArray<Problem>>("sallyport/domain/KnownProblems", {
  defaultValue: () => []
})

/** Whether a call only validates a request. Then nothing may be written, whatever its operation does. */
export const ChecksOnly = Context.Reference<boolean>("sallyport/domain/ChecksOnly", { defaultValue: () => false })

/** Fields whose rules depend on another field. While that other field is invalid, they are not reported. */
const dependsOn: Readonly<Record<string, string>> = {
  default_locale: "available_locales",
  destination: "hook_type",
  password: "credentials",
  password_confirmation: "password",
  session_minutes: "session_type"
}

/** Merges problems. A field that is known to be invalid is reported only once: without its value, other rules may seem broken. */
export const mergeProblems = (known: ReadonlyArray<Problem>, found: ReadonlyArray<Problem>): ReadonlyArray<Problem> => {
  if (known.length === 0) return found
  const isKnown = (name: string | undefined) => name !== undefined && known.some(({ field }) => field === name)
  return [...known, ...found.filter(({ field }) => field === null || !(isKnown(field) || isKnown(dependsOn[field])))]
}

/** Rejects a request with these problems and those found earlier, if there are any. */
export const rejectIfAny = (problems: ReadonlyArray<Problem>): Effect.Effect<void, Rejected> =>
  Effect.flatMap(KnownProblems, (known) =>
    known.length === 0 && problems.length === 0
      ? Effect.void
      : Effect.fail(new Rejected({ problems: mergeProblems(known, problems) }))
  )

/** Rejects a request with this problem and those found earlier. */
export const rejectWith = (found: Problem): Effect.Effect<never, Rejected> =>
  Effect.flatMap(KnownProblems, (known) => Effect.fail(new Rejected({ problems: mergeProblems(known, [found]) })))

/** Runs an operation on a request that has these problems. The operation rejects the request in any case, by `rejectFor`. */
export const withKnownProblems = <A, E, R>(
  problems: ReadonlyArray<Problem>,
  operation: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  problems.length === 0
    ? operation
    : Effect.flatMap(KnownProblems, (known) =>
        Effect.provideService(operation, KnownProblems, mergeProblems(known, problems))
      )

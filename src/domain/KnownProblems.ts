import { Context, Effect } from "effect"
import { type Problem, Rejected } from "./Rejected.ts"

/**
 * What is wrong with a request, as far as that is known before the rest of it is checked. The operation that checks the rest
 * refuses the request for both, so that whoever sent it hears of everything at once (C69).
 */
export const KnownProblems = Context.Reference<ReadonlyArray<Problem>>("sallyport/domain/KnownProblems", {
  defaultValue: () => []
})

/** Whether a call only checks a request: then nothing may be written, whatever its operation does. */
export const ChecksOnly = Context.Reference<boolean>("sallyport/domain/ChecksOnly", { defaultValue: () => false })

/** Fields whose rules depend on another one: nothing is said of them while that one is wrong. */
const dependsOn: Readonly<Record<string, string>> = {
  default_locale: "available_locales",
  destination: "hook_type",
  password: "credentials",
  password_confirmation: "password",
  session_minutes: "session_type"
}

/** Of a field that is known to be wrong, nothing more is said: without its value, other rules seem to be broken. */
export const mergeProblems = (known: ReadonlyArray<Problem>, found: ReadonlyArray<Problem>): ReadonlyArray<Problem> => {
  if (known.length === 0) return found
  const isKnown = (name: string | undefined) => name !== undefined && known.some(({ field }) => field === name)
  return [...known, ...found.filter(({ field }) => field === null || !(isKnown(field) || isKnown(dependsOn[field])))]
}

/** Refuses a request for these problems and those known before, if there are any. */
export const rejectFor = (problems: ReadonlyArray<Problem>): Effect.Effect<void, Rejected> =>
  Effect.flatMap(KnownProblems, (known) =>
    known.length === 0 && problems.length === 0
      ? Effect.void
      : Effect.fail(new Rejected({ problems: mergeProblems(known, problems) }))
  )

/** Refuses a request for this problem and those known before. */
export const rejectWith = (found: Problem): Effect.Effect<never, Rejected> =>
  Effect.flatMap(KnownProblems, (known) => Effect.fail(new Rejected({ problems: mergeProblems(known, [found]) })))

/** Runs an operation that checks a request, of which this is known to be wrong: it refuses it in any case, by `rejectFor`. */
export const withKnownProblems = <A, E, R>(
  problems: ReadonlyArray<Problem>,
  operation: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  problems.length === 0
    ? operation
    : Effect.flatMap(KnownProblems, (known) =>
        Effect.provideService(operation, KnownProblems, mergeProblems(known, problems))
      )

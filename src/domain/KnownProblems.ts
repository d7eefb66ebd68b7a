import { Context, Effect } from "effect"
import { type Problem, Rejected } from "./Rejected.ts"

/**
 * What is wrong with a request, as far as that is known before the rest of it is checked. The operation that checks the rest
 * refuses the request for both, so that whoever sent it hears of everything at once (C69).
 */
export const KnownProblems = Context.Reference<ReadonlyArray<Problem>>("sallyport/domain/KnownProblems", {
  defaultValue: () => []
})

/** Of a field that is known to be wrong, nothing more is said: without its value, other rules seem to be broken. */
const merge = (known: ReadonlyArray<Problem>, found: ReadonlyArray<Problem>): ReadonlyArray<Problem> =>
  known.length === 0
    ? found
    : [...known, ...found.filter(({ field }) => field === null || !known.some((one) => one.field === field))]

/** Refuses a request for these problems and those known before, if there are any. */
export const rejectFor = (problems: ReadonlyArray<Problem>): Effect.Effect<void, Rejected> =>
  Effect.flatMap(KnownProblems, (known) =>
    known.length === 0 && problems.length === 0
      ? Effect.void
      : Effect.fail(new Rejected({ problems: merge(known, problems) }))
  )

/** Refuses a request for this problem and those known before. */
export const rejectWith = (found: Problem): Effect.Effect<never, Rejected> =>
  Effect.flatMap(KnownProblems, (known) => Effect.fail(new Rejected({ problems: merge(known, [found]) })))

/** Runs an operation that checks a request, of which this is known to be wrong: it refuses it in any case, by `rejectFor`. */
export const withKnownProblems = <A, E, R>(
  problems: ReadonlyArray<Problem>,
  operation: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  problems.length === 0
    ? operation
    : Effect.flatMap(KnownProblems, (known) => Effect.provideService(operation, KnownProblems, merge(known, problems)))

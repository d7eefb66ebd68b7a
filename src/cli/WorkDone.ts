import { Context, Effect, Layer, Ref } from "effect"

/** Marks a command as read-only, so that its errors don't mention that nothing was changed. */
export const readOnly = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  Effect.andThen(
    Effect.flatMap(WorkDone, ({ note }) => note(() => "")),
    command
  )

/** The default text if no work was noted. */
const NOTHING_CHANGED = "Nothing was changed."

/**
 * Describes the work that a command has done so far, in case it fails or is stopped. Commands that change several
 * things, or that wait for a response, update the description as they go.
 */
export class WorkDone extends Context.Service<
  WorkDone,
  {
    /** Replaces the description. `sentence` is evaluated only when needed. */
    readonly note: (sentence: () => string) => Effect.Effect<void>
    readonly say: Effect.Effect<string>
  }
>()("sallyport/cli/WorkDone") {
  static readonly layer = Layer.effect(
    WorkDone,
    Effect.map(
      Ref.make((): string => NOTHING_CHANGED),
      (sentence) => ({
        note: (next) => Ref.set(sentence, next),
        say: Effect.map(Ref.get(sentence), (say) => say())
      })
    )
  )
}

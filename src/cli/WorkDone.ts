import { Context, Effect, Layer, Ref } from "effect"

/** Gives a command that changes nothing: there is nothing to reassure anyone about when it fails. */
export const readOnly = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  Effect.andThen(
    Effect.flatMap(WorkDone, ({ note }) => note(() => "")),
    command
  )

/** Says what was done when nothing was noted. */
const NOTHING = "Nothing was changed."

/**
 * What a command has done so far, in words, for whoever stops it or sees it fail. Commands that change several things, or that
 * wait for an answer, note it as they go.
 */
export class WorkDone extends Context.Service<
  WorkDone,
  {
    /** Replaces what is said from now on. `sentence` is asked only when it is needed. */
    readonly note: (sentence: () => string) => Effect.Effect<void>
    readonly say: Effect.Effect<string>
  }
>()("sallyport/cli/WorkDone") {
  static readonly layer = Layer.effect(
    WorkDone,
    Effect.map(
      Ref.make((): string => NOTHING),
      (sentence) => ({
        note: (next) => Ref.set(sentence, next),
        say: Effect.map(Ref.get(sentence), (say) => say())
      })
    )
  )
}

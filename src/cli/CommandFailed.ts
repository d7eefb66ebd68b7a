import { Data, Effect } from "effect"

/**
 * A command failed. Each part consists of one or more sentences. `happened`: the error. `done`: the work done before
 * (default: the text in `WorkDone`, or that nothing was changed). `todo`: what to do next.
 */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{
  readonly happened: string
  readonly done?: string
  readonly todo?: string
  /** Whether the service rejected the request, so that nothing was changed. */
  readonly isRefusal?: boolean
  /** Whether the connection failed, so that no request left this machine. */
  readonly isUnsent?: boolean
}> {
  override get message() {
    return this.happened
  }
}

/** A command was used incorrectly: exit code 2. `todo`: the correct usage. */
export class WrongUsage extends Data.TaggedError("WrongUsage")<{
  readonly happened: string
  readonly todo?: string
}> {
  override get message() {
    return this.happened
  }
}

/** Runs a parser of command-line arguments that throws `WrongUsage`. */
export const parsed = <A>(read: () => A): Effect.Effect<A, WrongUsage> =>
  Effect.catch(Effect.try({ try: read, catch: (error) => error }), (error) =>
    error instanceof WrongUsage ? Effect.fail(error) : Effect.die(error)
  )

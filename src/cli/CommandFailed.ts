import { Data, Effect } from "effect"

/**
 * A command could not do what it was asked for. Each part is one or more sentences: what happened, what was done before (default:
 * what the command has noted, or that nothing was changed), and what to do now.
 */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{
  readonly happened: string
  readonly done?: string
  readonly todo?: string
  /** Whether a service refused it, and so has changed nothing. */
  readonly isRefusal?: boolean
  /** Whether no connection was made, so that no request left this machine. */
  readonly isUnsent?: boolean
}> {
  override get message() {
    return this.happened
  }
}

/** A command was called in a way that it cannot be: exit code 2. `todo`: how to call it. */
export class WrongUsage extends Data.TaggedError("WrongUsage")<{
  readonly happened: string
  readonly todo?: string
}> {
  override get message() {
    return this.happened
  }
}

/** What is read from the words of a command, by a function that throws `WrongUsage`. */
export const understood = <A>(read: () => A): Effect.Effect<A, WrongUsage> =>
  Effect.catch(Effect.try({ try: read, catch: (error) => error }), (error) =>
    error instanceof WrongUsage ? Effect.fail(error) : Effect.die(error)
  )

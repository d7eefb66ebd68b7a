import { inspect } from "node:util"
import { Cause, Predicate } from "effect"
import { withSourceLines } from "#server/SourceLines"
import { CommandFailed, WrongUsage } from "./CommandFailed.ts"

/** The error output of a failed command, and its exit code: 1 failed, 2 wrong usage, 130 interrupted. */
export interface Failure {
  readonly code: 1 | 2 | 130
  readonly happened: string
  readonly done?: string
  readonly todo?: string
}

const wrongUsage = ({ happened, todo }: WrongUsage): Failure => ({
  code: 2,
  happened,
  ...(todo === undefined ? {} : { todo })
})

/** The sentence about the work done so far, if any. */
const doneOf = (done: string) => (done === "" ? {} : { done })

const failed = (error: CommandFailed, done: string): Failure => ({
  code: 1,
  happened: error.happened,
  ...doneOf(error.done ?? done),
  ...(error.todo === undefined ? {} : { todo: error.todo })
})

/** Describes how a command ended. `done`: the work done before. */
export const failureOf = (cause: Cause.Cause<unknown>, done: string): Failure => {
  if (Cause.hasInterruptsOnly(cause)) return { code: 130, happened: "Stopped.", ...doneOf(done) }
  const error = Cause.squash(cause)
  if (error instanceof WrongUsage) return wrongUsage(error)
  if (error instanceof CommandFailed) return failed(error, done)
  // The service's own errors are already written for operators.
  if (Predicate.hasProperty(error, "_tag") && error instanceof Error && !Cause.hasDies(cause)) {
    return { code: 1, happened: error.message, ...doneOf(done) }
  }
  return {
    code: 1,
    happened: `Internal error in Sallyport.\n${withSourceLines(inspect(error))}`,
    ...doneOf(done),
    todo: "Please report this error with the lines above."
  }
}

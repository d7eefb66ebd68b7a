import { inspect } from "node:util"
import { Cause, Predicate } from "effect"
import { withSourceLines } from "#server/SourceLines"
import { CommandFailed, WrongUsage } from "./CommandFailed.ts"

/** What is said of a command that did not succeed, and its exit code: 1 failed, 2 wrong usage, 130 stopped. */
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

/** What was done, if there is anything to say of it. */
const doneOf = (done: string) => (done === "" ? {} : { done })

const failed = (error: CommandFailed, done: string): Failure => ({
  code: 1,
  happened: error.happened,
  ...doneOf(error.done ?? done),
  ...(error.todo === undefined ? {} : { todo: error.todo })
})

/** What is said of the way a command ended. `done`: what it had done. */
export const failureOf = (cause: Cause.Cause<unknown>, done: string): Failure => {
  if (Cause.hasInterruptsOnly(cause)) return { code: 130, happened: "Stopped.", ...doneOf(done) }
  const error = Cause.squash(cause)
  if (error instanceof WrongUsage) return wrongUsage(error)
  if (error instanceof CommandFailed) return failed(error, done)
  // The service's own refusals are sentences for operators.
  if (Predicate.hasProperty(error, "_tag") && error instanceof Error && !Cause.hasDies(cause)) {
    return { code: 1, happened: error.message, ...doneOf(done) }
  }
  return {
    code: 1,
    happened: `Sallyport has made a mistake.\n${withSourceLines(inspect(error))}`,
    ...doneOf(done),
    todo: "Report it with these lines."
  }
}

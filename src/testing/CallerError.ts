import { inspect } from "node:util"

/** Creates an error whose stack trace starts at the call of `called`, which is a line of the test. */
export const callerError = (message: string, called: (...args: ReadonlyArray<never>) => unknown): Error => {
  const error = new Error(message)
  Error.captureStackTrace(error, called)
  return error
}

/** Like `callerError`, for a reason that is only known after asynchronous work. */
export const laterCallerError = (called: (...args: ReadonlyArray<never>) => unknown): ((message: string) => Error) => {
  const error = callerError("", called)
  return (message) => {
    error.message = message
    return error
  }
}

/** Formats a value on one line, for messages. */
export const inspectInline = (value: unknown): string => inspect(value, { breakLength: Number.POSITIVE_INFINITY })

import { inspect } from "node:util"

/** An error whose stack starts where `called` was called: at the line of the test. */
export const callerError = (message: string, called: (...args: ReadonlyArray<never>) => unknown): Error => {
  const error = new Error(message)
  Error.captureStackTrace(error, called)
  return error
}

/** A value formatted for messages, on one line. */
export const inspected = (value: unknown): string => inspect(value, { breakLength: Number.POSITIVE_INFINITY })

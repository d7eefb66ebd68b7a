import { ConnectionFailed, type ErrorDetail, isFailure, SallyportError, TimedOut } from "#client/Errors"
import type { common } from "../texts/CommonTexts.ts"
import { ConcurrentChange } from "./ConcurrentChanges.ts"

/** An error as shown on a page. */
export interface Problem {
  /** Messages that belong to no field of the form. */
  readonly sentences: ReadonlyArray<string>
  /** Messages by field name. */
  readonly fields: ReadonlyMap<string, string>
  readonly requestId: string | undefined
}

const byField = (details: ReadonlyArray<ErrorDetail>, names: ReadonlySet<string>) => {
  const fields = new Map<string, string>()
  const sentences: Array<string> = []
  for (const { field, message } of details) {
    const name = field === null ? undefined : [field, field.split(/[.[]/)[0] ?? field].find((one) => names.has(one))
    if (name === undefined) sentences.push(message)
    else fields.set(name, [fields.get(name), message].filter((one) => one !== undefined).join(" "))
  }
  return { fields, sentences }
}

/** Sorts the messages of a failed call by form field. `names` are the form's fields. */
export const problemOf = (
  error: unknown,
  texts: (typeof common)["en"],
  names: ReadonlySet<string> = new Set()
): Problem => {
  const none = new Map<string, string>()
  if (error instanceof ConnectionFailed)
    return { sentences: [texts.networkProblem], fields: none, requestId: undefined }
  if (error instanceof TimedOut) return { sentences: [texts.timedOut], fields: none, requestId: error.requestId }
  if (error instanceof ConcurrentChange)
    return { sentences: [texts.changedMeanwhile], fields: none, requestId: undefined }
  if (!(error instanceof SallyportError) || !isFailure(error))
    return { sentences: [texts.unexpectedProblem], fields: none, requestId: undefined }
  const { fields, sentences } = byField(error.details, names)
  const messages = error.details.length === 0 ? error.errors : sentences
  const nothing = messages.length === 0 && fields.size === 0
  return { sentences: nothing ? [texts.unexpectedProblem] : messages, fields, requestId: error.requestId }
}

/** Whether a read failed because the resource doesn't exist. */
export const isMissing = (error: unknown): boolean => error instanceof SallyportError && error.status === 404

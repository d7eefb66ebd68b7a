import { OutboundFailed, type PostResponse } from "#platform/Outbound"
import { inspectInline } from "./CallerError.ts"

/**
 * How a webhook's destination responds: with a status, and for 429 and 503 optionally a `Retry-After` in seconds, or with a
 * refused connection (`"unreachable"`) or a timeout (`"timed_out"`).
 */
export type Answer = number | { readonly status: number; readonly retryAfter?: number } | "unreachable" | "timed_out"

/** The maximum `Retry-After` in seconds, a number with nine digits. */
const MAX_RETRY_AFTER = 999_999_999

const isInteger = (value: unknown, least: number, most: number): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= least && value <= most

const isStatus = (value: unknown): value is number => isInteger(value, 200, 599)

/** Returns the response or failure that an answer describes, or undefined if the answer is invalid. */
const responseOf = (answer: unknown): PostResponse | OutboundFailed | undefined => {
  if (answer === "unreachable" || answer === "timed_out") return new OutboundFailed({ reason: answer })
  if (isStatus(answer)) return { status: answer, retryAfter: undefined, excerpt: "" }
  if (typeof answer !== "object" || answer === null || !("status" in answer)) return undefined
  const { status, ...others } = answer
  const { retryAfter, ...unknown } = { retryAfter: undefined, ...others }
  if (!isStatus(status) || Object.keys(unknown).length > 0) return undefined
  if (retryAfter === undefined) return { status, retryAfter: undefined, excerpt: "" }
  return isInteger(retryAfter, 0, MAX_RETRY_AFTER) ? { status, retryAfter: String(retryAfter), excerpt: "" } : undefined
}

/** Returns the responses and failures that the answers describe, or a sentence about the first invalid answer. */
export const parseAnswers = (
  answers: ReadonlyArray<unknown>
): ReadonlyArray<PostResponse | OutboundFailed> | string => {
  const responses: Array<PostResponse | OutboundFailed> = []
  for (const answer of answers) {
    const response = responseOf(answer)
    if (response === undefined) {
      return `Not an answer: ${inspectInline(answer)}. Use a status from 200 to 599, { status: 503, retryAfter: 60 }, "unreachable" or "timed_out".`
    }
    responses.push(response)
  }
  return responses
}

/** Returns the normalized URL of a webhook's destination, or undefined if the URL is invalid. */
export const destinationOf = (url: unknown): string | undefined => {
  const parsed = typeof url === "string" || url instanceof URL ? URL.parse(String(url)) : null
  return parsed?.protocol === "https:" || parsed?.protocol === "http:" ? parsed.href : undefined
}

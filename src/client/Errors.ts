import type { ErrorCode } from "./generated/types/ErrorCode.ts"

/** One error in a request. */
export interface ErrorDetail {
  /** The invalid member or parameter, or null if the error concerns the whole request. */
  readonly field: string | null
  /** The error code, for programs. */
  readonly code: ErrorCode
  /** The error message, in the language of the request. */
  readonly message: string
  /** The values in the message, by name, such as a limit. */
  readonly params?: Readonly<Record<string, string | number>>
  /** The allowed values or names listed in the message. */
  readonly allowed?: ReadonlyArray<string>
}

/** The facts about a failed call. */
export interface ErrorFacts {
  /** The operation as method and path template: `GET /v2/users/{user_id}`. */
  readonly route: string
  readonly message: string
  readonly status?: number | undefined
  readonly errors?: ReadonlyArray<string> | undefined
  readonly details?: ReadonlyArray<ErrorDetail> | undefined
  readonly requestId?: string | undefined
  readonly retryAfter?: number | undefined
  readonly body?: unknown
  readonly cause?: unknown
}

/** A failed call. The subclass identifies the kind of failure. `code` and `details` identify the exact errors. */
export abstract class SallyportError extends Error {
  /** The name of the class, for `switch` and Effect's `catchTag`. */
  abstract readonly _tag: string
  /** The operation that failed, as method and path template: `GET /v2/users/{user_id}`. */
  readonly route: string
  /** The status of the response, or undefined if there was no response. */
  readonly status: number | undefined
  /** The code of the first error, such as `taken`, or undefined if the service returned none. */
  readonly code: ErrorCode | undefined
  /** The error messages. Empty if the service returned none. */
  readonly errors: ReadonlyArray<string>
  /** The same errors in the same order, with details for programs. */
  readonly details: ReadonlyArray<ErrorDetail>
  /** The ID of the request. Include it in bug reports. */
  readonly requestId: string | undefined
  /** The seconds to wait before retrying, or undefined if the service requested no delay. */
  readonly retryAfter: number | undefined
  /** The raw response: parsed JSON, or text. Not included when the error is printed. */
  declare readonly body: unknown

  constructor({ route, message, status, errors = [], details = [], requestId, retryAfter, body, cause }: ErrorFacts) {
    super(`${route}: ${message}`, cause === undefined ? undefined : { cause })
    this.route = route
    this.status = status
    this.code = details[0]?.code
    this.errors = errors
    this.details = details
    this.requestId = requestId
    this.retryAfter = retryAfter
    Object.defineProperty(this, "body", { value: body })
  }

  override get name(): string {
    return this._tag
  }
}

/** 400 and other errors in the request itself: it can't be parsed, is too large, or names two different realms. */
export class BadRequest extends SallyportError {
  readonly _tag = "BadRequest"
}

/** 401: the API key is missing or unknown; under `/v1` also a user's wrong password or code. */
export class Unauthorized extends SallyportError {
  readonly _tag = "Unauthorized"
}

/** 403: the level of the API key is too low. */
export class Forbidden extends SallyportError {
  readonly _tag = "Forbidden"
}

/** 404: the resource doesn't exist in this realm. */
export class NotFound extends SallyportError {
  readonly _tag = "NotFound"
}

/** 409: the call conflicts with an operation in progress. Retry when that has finished. */
export class Conflict extends SallyportError {
  readonly _tag = "Conflict"
}

/** 422: the parameters are invalid. All errors are listed. */
export class Invalid extends SallyportError {
  readonly _tag = "Invalid"
}

/** 429: too many requests, or too many wrong passwords or codes. Retry after `retryAfter` seconds. */
export class RateLimited extends SallyportError {
  readonly _tag = "RateLimited"
}

/** 5xx: the service is unavailable, even after all safe retries. */
export class Unavailable extends SallyportError {
  readonly _tag = "Unavailable"
}

/**
 * A response that isn't from the service, or not for this operation, because of a proxy's error page, a wrong URL or an
 * older service.
 */
export class UnexpectedAnswer extends SallyportError {
  readonly _tag = "UnexpectedAnswer"
}

/** The service couldn't be reached, or the connection was lost before the response. */
export class ConnectionFailed extends SallyportError {
  readonly _tag = "ConnectionFailed"
}

/** An attempt exceeded its `timeout`. The service may or may not have executed it. */
export class TimedOut extends SallyportError {
  readonly _tag = "TimedOut"
}

/** All kinds of failed calls. */
export type Failure =
  | BadRequest
  | Unauthorized
  | Forbidden
  | NotFound
  | Conflict
  | Invalid
  | RateLimited
  | Unavailable
  | UnexpectedAnswer
  | ConnectionFailed
  | TimedOut

const kinds = [
  BadRequest,
  Unauthorized,
  Forbidden,
  NotFound,
  Conflict,
  Invalid,
  RateLimited,
  Unavailable,
  UnexpectedAnswer,
  ConnectionFailed,
  TimedOut
] as const

/** Whether a thrown value is a failed call. */
export const isFailure = (error: unknown): error is Failure => kinds.some((kind) => error instanceof kind)

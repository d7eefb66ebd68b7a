import type { ErrorCode } from "./generated/types/ErrorCode.ts"

/** One problem of a request. */
export interface ErrorDetail {
  /** The member or parameter that is wrong; null if it is the whole request. */
  readonly field: string | null
  /** What is wrong, for programs. */
  readonly code: ErrorCode
  /** What is wrong, for people, in the language of the request. */
  readonly message: string
  /** The values in the message, such as a bound, by name. */
  readonly params?: Readonly<Record<string, string | number>>
  /** The values or names of which the message lists the allowed ones. */
  readonly allowed?: ReadonlyArray<string>
}

/** What is known of a failed call. */
export interface ErrorFacts {
  /** Method and path of the operation, without values: `GET /v2/users/{user_id}`. */
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

/** A failed call. Its subclasses say what kind of failure it is, `code` and `details` what exactly is wrong. */
export abstract class SallyportError extends Error {
  /** The name of the class, for `switch`, and for Effect's `catchTag`. */
  abstract readonly _tag: string
  /** The operation that failed, as method and path without values: `GET /v2/users/{user_id}`. */
  readonly route: string
  /** The status of the answer; undefined if there was none. */
  readonly status: number | undefined
  /** The code of the first problem, such as `taken`; undefined where the service named none. */
  readonly code: ErrorCode | undefined
  /** Every problem, as a sentence for people. Empty where the service named none. */
  readonly errors: ReadonlyArray<string>
  /** The same problems in the same order, with details for programs. */
  readonly details: ReadonlyArray<ErrorDetail>
  /** The ID of the request. Include it when you report a problem. */
  readonly requestId: string | undefined
  /** The seconds to wait before another attempt; undefined where the service named none. */
  readonly retryAfter: number | undefined
  /** The answer as it came: parsed JSON, else text. It is not shown where the error is printed. */
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

/** 400 and other refusals of the request itself: it can't be read, is too large, or names two different realms. */
export class BadRequest extends SallyportError {
  readonly _tag = "BadRequest"
}

/** 401: the API key is missing or unknown; under `/v1` also: the password or code of a user is wrong. */
export class Unauthorized extends SallyportError {
  readonly _tag = "Unauthorized"
}

/** 403: the level of the API key is too low. */
export class Forbidden extends SallyportError {
  readonly _tag = "Forbidden"
}

/** 404: the resource does not exist in this realm. */
export class NotFound extends SallyportError {
  readonly _tag = "NotFound"
}

/** 409: conflicts with work that is in progress. Try again when it has finished. */
export class Conflict extends SallyportError {
  readonly _tag = "Conflict"
}

/** 422: the parameters are not valid. Every problem is listed. */
export class Invalid extends SallyportError {
  readonly _tag = "Invalid"
}

/** 429: too many requests, or too many wrong passwords or codes. Try again after `retryAfter` seconds. */
export class RateLimited extends SallyportError {
  readonly _tag = "RateLimited"
}

/** 5xx: the service can't answer now, also after the attempts that were safe. */
export class Unavailable extends SallyportError {
  readonly _tag = "Unavailable"
}

/** An answer that is not the service's, or not one to this operation: a proxy's page, a wrong address, an older service. */
export class UnexpectedAnswer extends SallyportError {
  readonly _tag = "UnexpectedAnswer"
}

/** The service was not reached, or the connection ended before its answer did. */
export class ConnectionFailed extends SallyportError {
  readonly _tag = "ConnectionFailed"
}

/** An attempt took longer than its `timeout`. Whether the service did what was asked is not known. */
export class TimedOut extends SallyportError {
  readonly _tag = "TimedOut"
}

/** Every way in which a call can fail. */
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

/** Whether something that was thrown is a failed call. */
export const isFailure = (error: unknown): error is Failure => kinds.some((kind) => error instanceof kind)

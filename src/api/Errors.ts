import { Schema } from "effect"
import type { Problem } from "#domain/Rejected"
import { describe } from "./Description.ts"
import { formatMessage } from "./Messages.ts"
import { en } from "./messages/en.ts"

const Detail = Schema.Struct({
  field: describe(
    Schema.NullOr(Schema.String),
    "The member or parameter with the problem; null if the problem concerns the entire request."
  ),
  code: describe(Schema.String, "The problem's code, for use by programs.", { $ref: "#/components/schemas/ErrorCode" }),
  message: describe(Schema.String, "The problem's message for people, in the language of the request."),
  params: describe(
    Schema.optionalKey(Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Finite]))),
    "The values in the message by name, such as a limit. Missing if there are none."
  ),
  allowed: describe(
    Schema.optionalKey(Schema.Array(Schema.String)),
    "The allowed values or names listed in the message. Missing if it lists none."
  )
})

/** The standard error response of both versions (C9): the messages, and the same problems as structured data. */
export const errorMembers = {
  errors: describe(Schema.Array(Schema.String), "All problems, each as a sentence for people."),
  error_details: describe(
    Schema.Array(Detail),
    "The same problems in the same order, with details for programs to use."
  ),
  request_id: describe(
    Schema.optionalKey(Schema.String),
    "The ID of the request, as in the header `X-Request-Id`. Include it when you report a problem."
  )
}

/** The request can't be read, lacks its wrapper, or names two different realms. */
export class BadRequest extends Schema.Error<BadRequest>("BadRequest")(errorMembers, { httpApiStatus: 400 }) {
  readonly status = 400
}

/** The API key is missing or unknown. Under `/v1`, this is also the error for a user's wrong password or code. */
export class Unauthorized extends Schema.Error<Unauthorized>("Unauthorized")(errorMembers, { httpApiStatus: 401 }) {
  readonly status = 401
}

/** The level of the API key is too low. */
export class Forbidden extends Schema.Error<Forbidden>("Forbidden")(errorMembers, { httpApiStatus: 403 }) {
  readonly status = 403
}

/** The resource does not exist in this realm. */
export class NotFound extends Schema.Error<NotFound>("NotFound")(errorMembers, { httpApiStatus: 404 }) {
  readonly status = 404
}

/** The request conflicts with an operation in progress. The caller can retry when that operation has finished. */
export class Conflict extends Schema.Error<Conflict>("Conflict")(errorMembers, { httpApiStatus: 409 }) {
  readonly status = 409
}

/** The request body is larger than 256 KiB. */
export class TooLarge extends Schema.Error<TooLarge>("TooLarge")(errorMembers, { httpApiStatus: 413 }) {
  readonly status = 413
}

/** The request body is neither JSON nor form-encoded, or its `Content-Type` is missing. */
export class UnsupportedMediaType extends Schema.Error<UnsupportedMediaType>("UnsupportedMediaType")(errorMembers, {
  httpApiStatus: 415
}) {
  readonly status = 415
}

/** The request is not valid. The response lists all problems. */
export class Invalid extends Schema.Error<Invalid>("Invalid")(errorMembers, { httpApiStatus: 422 }) {
  readonly status = 422
}

/**
 * A login at an external provider failed. The response also contains the provider, a URL for another attempt, and the email
 * that the provider returned (`v2.status`).
 */
export class ExternalRefusal extends Schema.Error<ExternalRefusal>("ExternalRefusal")(
  {
    ...errorMembers,
    provider_id: describe(Schema.String, "The ID of the auth provider."),
    retry_url: describe(
      Schema.optionalKey(Schema.String),
      "The URL at which the user can try again; missing if the state can't be used again."
    ),
    user_email: describe(
      Schema.optionalKey(Schema.NullOr(Schema.String)),
      "The email that the provider returned, if it caused the problem; null if it was missing or invalid."
    )
  },
  { httpApiStatus: 422 }
) {
  readonly status = 422
}

/** Too many requests, or too many wrong passwords or codes. The caller can retry after `Retry-After` seconds. */
export class TooManyRequests extends Schema.Error<TooManyRequests>("TooManyRequests")(errorMembers, {
  httpApiStatus: 429
}) {
  readonly status = 429
}

/** The service is overloaded or can't reach its database. The caller can retry after `Retry-After` seconds. */
export class Unavailable extends Schema.Error<Unavailable>("Unavailable")(errorMembers, { httpApiStatus: 503 }) {
  readonly status = 503
}

/** All errors that a management request can return. */
export const WireErrors = [
  BadRequest,
  Unauthorized,
  Forbidden,
  NotFound,
  Conflict,
  TooLarge,
  UnsupportedMediaType,
  Invalid,
  TooManyRequests,
  Unavailable
] as const

export type WireError = InstanceType<(typeof WireErrors)[number]> | ExternalRefusal

export const isWireError = (error: unknown): error is WireError =>
  error instanceof ExternalRefusal || WireErrors.some((kind) => error instanceof kind)

/**
 * Creates the body of an error. Messages are in English here. They are translated to the caller's language when the response
 * is written.
 */
export const errorBody = (problems: ReadonlyArray<Problem>) => {
  const details = problems.map((problem) => ({ ...problem, message: formatMessage(en, problem) }))
  return { errors: details.map(({ message }) => message), error_details: details }
}

import { HttpServerError } from "effect/http"

/** Returns whether reading a body failed because the body exceeds the limit of `RequestMiddleware`. */
export const isBodyTooLarge = ({ reason }: HttpServerError.HttpServerError): boolean =>
  reason instanceof HttpServerError.RequestParseError && reason.reason === "BodyTooLarge"

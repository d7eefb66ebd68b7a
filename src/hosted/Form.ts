import { Data, Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { isBodyTooLarge } from "#api/BodyTooLarge"
import { problem, type Rejected, rejection } from "#domain/Rejected"
import { isStorable, isWithin, nonBlank, TEXT_LENGTH } from "#domain/Text"

type HttpRequest = HttpServerRequest.HttpServerRequest

/** The body of a request is not a form, is malformed or is too large. `format` is the expected format. */
export class UnreadableForm extends Data.TaggedError("UnreadableForm")<{
  readonly status: 400 | 413 | 415
  readonly format?: "UTF-8"
}> {}

/** The form was sent by a page of another site. */
export class CrossOriginForm extends Data.TaggedError("CrossOriginForm") {}

/** Returns the value of a field in a form or query, or an empty string if the field was not sent. */
export type FormValues = (field: string) => string

const searchParamsOf = ({ url }: HttpRequest) => new URLSearchParams(url.split("?").slice(1).join("?"))

const hasDuplicates = (params: URLSearchParams): boolean => params.size !== new Set(params.keys()).size

const hostOf = (origin: string): string | undefined => URL.parse(origin)?.host

/**
 * Accepts forms from our own pages and from callers that are not browsers (SEC-35). Pages that send no referrer post with the
 * origin `null`. In that case `Sec-Fetch-Site` decides, if the browser sends it.
 */
export const requireSameOrigin = (
  { headers }: HttpRequest,
  publicOrigin: string
): Effect.Effect<void, CrossOriginForm> => {
  const site = headers["sec-fetch-site"]
  const origin = headers["origin"]
  const isSameSite = site === undefined || site === "same-origin" || site === "none"
  const isSameOrigin =
    origin === undefined || origin === "null" || origin === publicOrigin || hostOf(origin) === headers["host"]
  return isSameSite && isSameOrigin ? Effect.void : Effect.fail(new CrossOriginForm())
}

/** Returns whether a parameter occurs more than once in the query. */
export const isRepeated = (request: HttpRequest, parameter: string): boolean =>
  searchParamsOf(request).getAll(parameter).length > 1

/** Returns the query of a request. A repeated parameter counts as blank. */
export const queryValues = (request: HttpRequest): FormValues => {
  const params = searchParamsOf(request)
  return (field) => (params.getAll(field).length === 1 ? (params.get(field) ?? "") : "")
}

/** Reads the form in the body of a request. Rejects repeated fields. */
export const readForm = Effect.fnUntraced(function* (request: HttpRequest) {
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase()
  if (type !== "application/x-www-form-urlencoded") return yield* new UnreadableForm({ status: 415 })
  const params = new URLSearchParams(yield* readText(request))
  if (hasDuplicates(params)) return yield* new UnreadableForm({ status: 400 })
  const values: FormValues = (field) => params.get(field) ?? ""
  return values
})

/** Reads the body of a request as text. */
export const readText = (request: HttpRequest): Effect.Effect<string, UnreadableForm> =>
  Effect.mapError(
    request.text,
    (error) => new UnreadableForm(isBodyTooLarge(error) ? { status: 413 } : { status: 400, format: "UTF-8" })
  )

/** Reads a new password that was typed twice, with a problem if the two values differ. */
export const newPasswordIn = (form: FormValues) => ({
  password: form("password"),
  problems: form("password") === form("password_confirmation") ? [] : [problem("password_confirmation", "unmatched")]
})

/**
 * Reads the code of an authenticator app. Spaces are ignored. An incomplete code is rejected without counting as an attempt.
 */
export const codeIn = (form: FormValues): Effect.Effect<string, Rejected> => {
  const code = form("code").replaceAll(/\s/g, "")
  return /^\d{6}$/.test(code) ? Effect.succeed(code) : Effect.fail(rejection("code", "code_incomplete"))
}

/** Reads the names of a user, with the problems found. The names in `required` can't be blank. */
export const namesIn = (form: FormValues, required: ReadonlySet<string>) => ({
  names: { firstName: nonBlank(form("first_name")), lastName: nonBlank(form("last_name")) },
  problems: ["first_name", "last_name"].flatMap((field) => {
    if (required.has(field) && nonBlank(form(field)) === null) return [problem(field, "blank")]
    if (!isStorable(form(field))) return [problem(field, "invalid")]
    return isWithin(TEXT_LENGTH, form(field)) ? [] : [problem(field, "too_long", { maximum: TEXT_LENGTH })]
  })
})

import { Data, Effect } from "effect"
import { HttpServerError, type HttpServerRequest } from "effect/http"
import { problem, type Rejected, rejected } from "#domain/Rejected"
import { isStorable, isWithin, presence, TEXT_LENGTH } from "#domain/Text"

type HttpRequest = HttpServerRequest.HttpServerRequest

/** The body of a request is not a form, is malformed or is too large. `format`: what it should have been. */
export class UnreadableForm extends Data.TaggedError("UnreadableForm")<{
  readonly status: 400 | 413 | 415
  readonly format?: "UTF-8"
}> {}

/** A form that a page of another site sent. */
export class CrossOriginForm extends Data.TaggedError("CrossOriginForm") {}

/** The values of a form or of a query, by field: blank for a field that was not sent. */
export type FormValues = (field: string) => string

const searchParamsOf = ({ url }: HttpRequest) => new URLSearchParams(url.split("?").slice(1).join("?"))

const hasDuplicates = (params: URLSearchParams): boolean => params.size !== new Set(params.keys()).size

const hostOf = (origin: string): string | undefined => URL.parse(origin)?.host

/**
 * Lets pass what our own pages post, and callers other than browsers (SEC-35). A page without referrer posts with the origin
 * `null`; `Sec-Fetch-Site` then tells, where the browser sends it.
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

/** Whether the query has a parameter more than once. */
export const isRepeated = (request: HttpRequest, parameter: string): boolean =>
  searchParamsOf(request).getAll(parameter).length > 1

/** The query of a request. A parameter that is repeated counts as blank. */
export const queryValues = (request: HttpRequest): FormValues => {
  const params = searchParamsOf(request)
  return (field) => (params.getAll(field).length === 1 ? (params.get(field) ?? "") : "")
}

/** The form in the body of a request. A repeated field makes it unreadable. */
export const readForm = Effect.fnUntraced(function* (request: HttpRequest) {
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase()
  if (type !== "application/x-www-form-urlencoded") return yield* new UnreadableForm({ status: 415 })
  const params = new URLSearchParams(yield* readText(request))
  if (hasDuplicates(params)) return yield* new UnreadableForm({ status: 400 })
  const values: FormValues = (field) => params.get(field) ?? ""
  return values
})

/** The body of a request as text. */
export const readText = (request: HttpRequest): Effect.Effect<string, UnreadableForm> =>
  Effect.mapError(request.text, ({ reason }) => {
    const isTooLarge = reason instanceof HttpServerError.RequestParseError && reason.reason === "BodyTooLarge"
    return new UnreadableForm(isTooLarge ? { status: 413 } : { status: 400, format: "UTF-8" })
  })

/** A new password that was typed twice, and whether both are the same. */
export const newPasswordIn = (form: FormValues) => ({
  password: form("password"),
  problems: form("password") === form("password_confirmation") ? [] : [problem("password_confirmation", "unmatched")]
})

/** The code of an authenticator app. Spaces in it don't count, and one that is incomplete is refused without a try. */
export const codeIn = (form: FormValues): Effect.Effect<string, Rejected> => {
  const code = form("code").replaceAll(/\s/g, "")
  return /^\d{6}$/.test(code) ? Effect.succeed(code) : Effect.fail(rejected("code", "code_incomplete"))
}

/** A person's names, and what is wrong with them. `required`: those that may not be blank. */
export const namesIn = (form: FormValues, required: ReadonlySet<string>) => ({
  names: { firstName: presence(form("first_name")), lastName: presence(form("last_name")) },
  problems: ["first_name", "last_name"].flatMap((field) => {
    if (required.has(field) && presence(form(field)) === null) return [problem(field, "blank")]
    if (!isStorable(form(field))) return [problem(field, "invalid")]
    return isWithin(TEXT_LENGTH, form(field)) ? [] : [problem(field, "too_long", { maximum: TEXT_LENGTH })]
  })
})

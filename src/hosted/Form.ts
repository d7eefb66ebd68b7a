import { Effect } from "effect"
import { HttpServerError, type HttpServerRequest } from "effect/http"
import { problem, Rejected, rejected } from "#domain/Rejected"
import { isStorable, isWithin, presence, TEXT_LENGTH } from "#domain/Text"
import { Foreign, Unreadable } from "./Errors.ts"

/** What a person filled in: blank where a field is not there. */
export type Filled = (field: string) => string

const filled =
  (params: URLSearchParams): Filled =>
  (field) =>
    params.get(field) ?? ""

const repeats = (params: URLSearchParams): boolean => params.size !== new Set(params.keys()).size

const hostOf = (origin: string): string | undefined => URL.parse(origin)?.host

/**
 * Lets through what our own pages send, and callers that are no browsers (SEC-35). A page without referrer posts with the
 * origin `null`: then the browser's own word on the site counts, where it gives one.
 */
export const fromOurPage = (
  { headers }: HttpServerRequest.HttpServerRequest,
  publicOrigin: string
): Effect.Effect<void, Foreign> => {
  const site = headers["sec-fetch-site"]
  const origin = headers["origin"]
  const isOurs = site === undefined || site === "same-origin" || site === "none"
  const isFromUs =
    origin === undefined || origin === "null" || origin === publicOrigin || hostOf(origin) === headers["host"]
  return isOurs && isFromUs ? Effect.void : Effect.fail(new Foreign())
}

/** Whether the address has a parameter more than once. */
export const repeatedIn = ({ url }: HttpServerRequest.HttpServerRequest, field: string): boolean =>
  new URLSearchParams(url.split("?").slice(1).join("?")).getAll(field).length > 1

/** What the address says after its question mark. A parameter that comes twice says nothing. */
export const queryOf = ({ url }: HttpServerRequest.HttpServerRequest): Filled => {
  const params = new URLSearchParams(url.split("?").slice(1).join("?"))
  return (field) => (params.getAll(field).length === 1 ? (params.get(field) ?? "") : "")
}

/** What a form says. No field may come twice. */
export const formOf = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase()
  if (type !== "application/x-www-form-urlencoded") return yield* new Unreadable({ status: 415 })
  const text = yield* request.text.pipe(
    Effect.mapError(({ reason }) => {
      const isLarge = reason instanceof HttpServerError.RequestParseError && reason.reason === "BodyTooLarge"
      return new Unreadable({ status: isLarge ? 413 : 400 })
    })
  )
  const params = new URLSearchParams(text)
  return repeats(params) ? yield* new Unreadable({ status: 400 }) : filled(params)
})

/** A new password that was typed twice. */
export const passwordIn = (form: Filled): Effect.Effect<string, Rejected> =>
  form("password") === form("password_confirmation")
    ? Effect.succeed(form("password"))
    : Effect.fail(rejected("password_confirmation", "unmatched"))

/** Names that may be left blank. */
export const namesIn = (form: Filled) => {
  const problems = ["first_name", "last_name"].flatMap((field) => {
    if (!isStorable(form(field))) return [problem(field, "invalid")]
    return isWithin(TEXT_LENGTH, form(field)) ? [] : [problem(field, "too_long", { maximum: TEXT_LENGTH })]
  })
  return problems.length > 0
    ? Effect.fail(new Rejected({ problems }))
    : Effect.succeed({ firstName: presence(form("first_name")), lastName: presence(form("last_name")) })
}

import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { isBodyTooLarge } from "#api/BodyTooLarge"
import { type OAuthRefused, oauthRefused } from "#domain/oauth/OAuthProblem"

type HttpRequest = HttpServerRequest.HttpServerRequest

/** The parameters of a request. A parameter without a value counts as omitted (RFC 6749 §3.1). */
export interface OAuthParams {
  /** Returns the value of a parameter that can occur only once. */
  readonly get: (name: string) => string | undefined
  /** Returns all values of a repeatable parameter (RFC 8707). */
  readonly all: (name: string) => ReadonlyArray<string>
  readonly names: ReadonlyArray<string>
}

/** The only parameter that can be repeated (RFC 8707 §2). */
const REPEATABLE = "resource"

/**
 * Reads the parameters of a query or form. Rejects repeated parameters, because two parties may interpret them differently
 * (SEC-33).
 */
export const paramsOf = (params: URLSearchParams): Effect.Effect<OAuthParams, OAuthRefused> => {
  const sent = [...params.keys()]
  const names = [...new Set(sent)]
  const all = (name: string) => params.getAll(name).filter((value) => value !== "")
  // A single pass, because a form can have a hundred thousand names and its sender is not authenticated yet (SEC-186).
  const once = names.includes(REPEATABLE) ? names.length - 1 : names.length
  if (sent.filter((name) => name !== REPEATABLE).length > once) {
    return Effect.fail(oauthRefused("repeated_parameter"))
  }
  return Effect.succeed({ names, all, get: (name) => all(name)[0] })
}

/** Returns the query of a request. */
export const queryText = ({ url }: HttpRequest): string => url.split("?").slice(1).join("?")

/** Reads the parameters in the query of a request. */
export const queryParams = (request: HttpRequest): Effect.Effect<OAuthParams, OAuthRefused> =>
  paramsOf(new URLSearchParams(queryText(request)))

/** Reads the body of a request, which must be a form. */
export const formText = Effect.fnUntraced(function* (request: HttpRequest) {
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase()
  if (type !== "application/x-www-form-urlencoded") return yield* oauthRefused("unreadable_body")
  return yield* Effect.mapError(request.text, (error) =>
    oauthRefused(isBodyTooLarge(error) ? "body_too_large" : "body_not_utf8")
  )
})

/** Reads the parameters in the form body of a request. The query is ignored (RFC 6749 §3.2). */
export const formParams = (request: HttpRequest): Effect.Effect<OAuthParams, OAuthRefused> =>
  Effect.flatMap(formText(request), (text) => paramsOf(new URLSearchParams(text)))

import { HttpServerResponse } from "effect/http"
import {
  BadRequest,
  Conflict,
  ExternalRefusal,
  errorBody,
  Forbidden,
  Invalid,
  NotFound,
  TooLarge,
  TooManyRequests,
  Unauthorized,
  Unavailable,
  UnsupportedMediaType,
  type WireError
} from "#api/Errors"
import { sentence } from "#api/Messages"
import type { KeyAtWork } from "#core/access/IdempotentRequests"
import type { LevelTooLow } from "#domain/Caller"
import type { NotificationState } from "#domain/Delivery"
import type { ExternalLoginRefused } from "#domain/ExternalLogin"
import type { RateLimited } from "#domain/Limit"
import type { Blocked, LoginsOff } from "#domain/Login"
import type { RenderingBusy } from "#domain/MailTemplate"
import type { Overloaded } from "#domain/Overloaded"
import type { HashingBusy } from "#domain/Password"
import type { TooManyRealms } from "#domain/Realm"
import { type Problem, problem, type Rejected } from "#domain/Rejected"
import type { Unavailability } from "#platform/Transaction"
import { catalogueOf, type Exchange } from "./RequestContext.ts"

const one = (code: string, params?: Problem["params"]) => errorBody([problem(null, code, params)])

export const badRequest = (code: string, params?: Problem["params"]) => new BadRequest(one(code, params))
export const unauthorized = (code: string) => new Unauthorized(one(code))
export const tooLarge = (most: number) => new TooLarge(one("body_too_large", { most }))
export const unsupportedMediaType = () => new UnsupportedMediaType(one("unsupported_media_type"))
export const invalid = (problems: ReadonlyArray<Problem>) => new Invalid(errorBody(problems))

/** The answer for anything that is not there: the same whether it belongs to another realm or never was. */
export const notFound = (resource: string) => new NotFound(errorBody([problem(resource, "not_found")]))

/** A limit that was reached: for the sentence and for the headers. */
const limitParams = ({ limit, most, withinSeconds, retryAfterSeconds }: RateLimited) => ({
  limit,
  most,
  within: withinSeconds,
  retry_after: retryAfterSeconds
})

/** Why nothing can be done now; who was turned away for lack of room is told when to come back. */
export const notNow = ({ code, retryAfterSeconds }: Unavailability): Problem =>
  code === "overloaded" ? problem(null, code, { retry_after: retryAfterSeconds }) : problem(null, code)

/** The table from the domain's words to the wire: the word, and what the management API answers. */
export const words = {
  Rejected: ({ problems }: Rejected) => invalid(problems),
  LevelTooLow: ({ required }: LevelTooLow) => new Forbidden(one("level_too_low", { required })),
  LimitsRaised: () => new Forbidden(errorBody([problem("limits", "limits_raised")])),
  HashingBusy: ({ retryAfterSeconds }: HashingBusy) =>
    new Unavailable(one("account_busy", { retry_after: retryAfterSeconds })),
  RenderingBusy: ({ retryAfterSeconds }: RenderingBusy) =>
    new Unavailable(one("renderer_busy", { retry_after: retryAfterSeconds })),
  Overloaded: ({ retryAfterSeconds }: Overloaded) =>
    new Unavailable(one("overloaded", { retry_after: retryAfterSeconds })),
  TooManyRealms: ({ most }: TooManyRealms) => invalid([problem(null, "too_many_realms", { most })]),
  UserNotFound: () => notFound("user"),
  UserInactive: () => notFound("user"),
  OrgNotFound: () => notFound("org"),
  MembershipNotFound: () => notFound("membership"),
  InvitationNotFound: () => notFound("invitation"),
  CredentialNotFound: () => notFound("credential"),
  SessionNotFound: () => notFound("session"),
  RealmNotFound: () => notFound("realm"),
  AuthProviderNotFound: () => notFound("auth_provider"),
  JwtKeyNotFound: () => notFound("jwt_key"),
  EventNotFound: () => notFound("event"),
  HookNotFound: () => notFound("hook"),
  AppHookNotFound: () => notFound("app_hook"),
  ClientAppNotFound: () => notFound("client_app"),
  LoginPolicyNotFound: () => notFound("login_policy"),
  MailNotFound: () => notFound("message"),
  HookInactive: () => invalid([problem(null, "hook_inactive")]),
  NotificationNotFound: () => notFound("notification"),
  NotificationState: ({ state }: NotificationState) =>
    state === "in_progress" ? new Conflict(one("notification_at_work")) : invalid([problem(null, "notification_over")]),
  SignupTokenNotFound: () => notFound("user_token"),
  ApiKeyNotFound: () => notFound("api_key"),
  ClearingAtWork: () => new Conflict(one("clearing_at_work")),
  ClockBackwards: () => invalid([problem("advance_to", "clock_backwards")]),
  AlreadyAdvancing: () => new Conflict(one("already_advancing")),
  AnswerUnreadable: () => new Conflict(one("answer_unreadable")),
  KeyReused: () => invalid([problem(null, "idempotency_key_reused")]),
  KeyAtWork: ({ retryAfterSeconds }: KeyAtWork) =>
    new Conflict(one("idempotency_key_at_work", { retry_after: retryAfterSeconds })),
  WrongPassword: () => invalid([problem(null, "login_failed")]),
  WrongCode: () => invalid([problem(null, "login_failed")]),
  TokenNotFound: () => invalid([problem("token", "token_unusable")]),
  StateNotFound: () => invalid([problem("state", "token_unusable")]),
  ExternalLoginRefused: (refused: ExternalLoginRefused) =>
    new ExternalRefusal({
      ...errorBody([refused.problem]),
      provider_id: refused.providerId,
      ...(refused.retryUrl === undefined ? {} : { retry_url: refused.retryUrl }),
      ...(refused.userEmail === undefined ? {} : { user_email: refused.userEmail })
    }),
  LoginsOff: ({ why }: LoginsOff) => invalid([problem(null, why)]),
  RateLimited: (tooOften: RateLimited) => new TooManyRequests(one("too_often", limitParams(tooOften))),
  Blocked: ({ retryAfterSeconds, tooOften }: Blocked) =>
    tooOften !== undefined
      ? new TooManyRequests(one("too_often", limitParams(tooOften)))
      : new TooManyRequests(
          one("blocked", { minutes: Math.ceil(retryAfterSeconds / 60), retry_after: retryAfterSeconds })
        )
}

/** What v1 answers otherwise: its own statuses for logins (api-v1 section 7). */
export const wordsV1 = {
  ...words,
  WrongPassword: () => unauthorized("login_failed"),
  WrongCode: () => unauthorized("login_failed"),
  LoginTokenNotFound: () => notFound("token"),
  ApiKeyUnknown: () => notFound("api_key")
}

const headersOf: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { "www-authenticate": "Bearer" },
  503: { "retry-after": "1" }
}

/** The standard error response (decision 9), said in the language of the request. */
export const answer = (status: number, problems: ReadonlyArray<Problem>, exchange: Exchange, beside: object = {}) => {
  const catalogue = catalogueOf(exchange)
  const details = problems.map(({ field, code, params }) => ({
    field,
    code,
    message: sentence(catalogue, params === undefined ? { field, code } : { field, code, params }),
    ...(params === undefined ? {} : { params })
  }))
  return HttpServerResponse.jsonUnsafe(
    {
      errors: details.map(({ message }) => message),
      error_details: details,
      request_id: exchange.requestId,
      ...beside
    },
    { status, headers: { "content-language": catalogue.language, ...headersOf[status], ...waitOf(problems) } }
  )
}

/** After how many seconds to come back, where a problem says so. */
const waitOf = (problems: ReadonlyArray<Problem>): Readonly<Record<string, string>> => {
  const seconds = problems.find(({ params }) => params?.["retry_after"] !== undefined)?.params?.["retry_after"]
  return seconds === undefined ? {} : { "retry-after": String(seconds), ...limitOf(problems) }
}

/** Which limit was reached, and when more is to be had, as the IETF's RateLimit headers say it (decision 45). */
const limitOf = (problems: ReadonlyArray<Problem>): Readonly<Record<string, string>> => {
  const { limit, most, within, retry_after } = problems.find(({ code }) => code === "too_often")?.params ?? {}
  if (limit === undefined) return {}
  return { ratelimit: `"${limit}";r=0;t=${retry_after}`, "ratelimit-policy": `"${limit}";q=${most};w=${within}` }
}

/** What an external refusal says beside the standard response. */
const besideOf = (error: WireError): object => {
  if (!(error instanceof ExternalRefusal)) return {}
  const { provider_id, retry_url, user_email } = error
  return {
    provider_id,
    ...(retry_url === undefined ? {} : { retry_url }),
    ...(user_email === undefined ? {} : { user_email })
  }
}

export const answerWireError = (error: WireError, exchange: Exchange) =>
  answer(error.status, error.error_details, exchange, besideOf(error))

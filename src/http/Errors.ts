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
import { limitProblems, MAX_PROBLEMS } from "#api/InvalidRequest"
import { formatMessage } from "#api/Messages"
import type { RequestInProgress } from "#core/access/IdempotentRequest"
import type { LevelTooLow } from "#domain/Caller"
import type { NotificationState } from "#domain/Delivery"
import type { ExternalLoginRefused } from "#domain/ExternalLogin"
import type { RateLimited } from "#domain/Limit"
import type { Blocked, LoginsOff, WrongPassword } from "#domain/Login"
import type { RenderingBusy } from "#domain/MailTemplate"
import type { Overloaded } from "#domain/Overloaded"
import type { HashingBusy } from "#domain/Password"
import type { TooManyRealms } from "#domain/Realm"
import { type Problem, problem, type Rejected } from "#domain/Rejected"
import type { RequestContext } from "#platform/RequestContext"
import type { Unavailability } from "#platform/Transaction"
import { catalogueOf } from "./MessageCatalogue.ts"

const generalError = (code: string, params?: Problem["params"]) => errorBody([problem(null, code, params)])

export const badRequest = (code: string, params?: Problem["params"], ...others: ReadonlyArray<Problem>) =>
  new BadRequest(errorBody([problem(null, code, params), ...others]))
export const unauthorized = (code: string, params?: Problem["params"]) => new Unauthorized(generalError(code, params))
export const tooLarge = (most: number) => new TooLarge(generalError("body_too_large", { most }))
export const unsupportedMediaType = (code: string) => new UnsupportedMediaType(generalError(code))
export const invalid = (problems: ReadonlyArray<Problem>) => new Invalid(errorBody(problems))

/** The resource does not exist or belongs to another realm. Callers can't tell the difference. */
export const notFound = (resource: string) => new NotFound(errorBody([problem(resource, "not_found")]))

/** The item named in `after` does not exist, or belongs to another realm. */
export const notFoundAfter = (resource: string) =>
  new NotFound(errorBody([problem("after", "not_found", { resource })]))

/** The parameters of an exceeded limit, for the message and the RateLimit headers. */
const limitParams = ({ limit, most, withinSeconds, retryAfterSeconds }: RateLimited) => ({
  limit,
  most,
  within: withinSeconds,
  retry_after: retryAfterSeconds
})

/**
 * Describes why the service can't process a request right now. If it is overloaded, the problem includes the seconds to wait
 * before a retry.
 */
export const unavailableProblem = ({ code, retryAfterSeconds }: Unavailability): Problem =>
  code === "overloaded" ? problem(null, code, { retry_after: retryAfterSeconds }) : problem(null, code)

/** Maps domain failures to errors of the management API. */
export const wireErrors = {
  Rejected: ({ problems }: Rejected) => invalid(problems),
  LevelTooLow: ({ required, role }: LevelTooLow) =>
    new Forbidden(
      role === undefined
        ? generalError("level_too_low", { required })
        : generalError("role_too_low", { required: role })
    ),
  LimitsRaised: () => new Forbidden(errorBody([problem("limits", "limits_raised")])),
  HashingBusy: ({ retryAfterSeconds }: HashingBusy) =>
    new Unavailable(generalError("account_busy", { retry_after: retryAfterSeconds })),
  RenderingBusy: ({ retryAfterSeconds }: RenderingBusy) =>
    new Unavailable(generalError("renderer_busy", { retry_after: retryAfterSeconds })),
  Overloaded: ({ retryAfterSeconds }: Overloaded) =>
    new Unavailable(generalError("overloaded", { retry_after: retryAfterSeconds })),
  TooManyRealms: ({ most }: TooManyRealms) => invalid([problem(null, "too_many_realms", { most })]),
  UserNotFound: () => notFound("user"),
  UserInactive: () => notFound("user"),
  OrgNotFound: () => notFound("org"),
  OrgDomainNotFound: () => notFound("domain"),
  MembershipNotFound: () => notFound("membership"),
  InvitationNotFound: () => notFound("invitation"),
  CredentialNotFound: () => notFound("credential"),
  SessionNotFound: () => notFound("session"),
  OAuthConsentNotFound: () => notFound("consent"),
  OAuthGrantNotFound: () => notFound("grant"),
  RealmNotFound: () => notFound("realm"),
  AuthProviderNotFound: () => notFound("auth_provider"),
  JwtKeyNotFound: () => notFound("jwt_key"),
  EventNotFound: () => notFound("event"),
  HookNotFound: () => notFound("hook"),
  AppHookNotFound: () => notFound("app_hook"),
  ClientAppNotFound: () => notFound("client_app"),
  LoginPolicyNotFound: () => notFound("login_policy"),
  OperatorNotFound: () => notFound("operator"),
  MailNotFound: () => notFound("message"),
  HookInactive: () => invalid([problem(null, "hook_inactive")]),
  NotificationNotFound: () => notFound("notification"),
  NotificationState: ({ state }: NotificationState) =>
    state === "in_progress"
      ? new Conflict(generalError("notification_at_work"))
      : invalid([problem(null, "notification_over")]),
  SignupTokenNotFound: () => notFound("user_token"),
  ApiKeyNotFound: () => notFound("api_key"),
  ImportRunning: () => new Conflict(generalError("import_running")),
  ResetInProgress: () => new Conflict(generalError("clearing_at_work")),
  ClockBackwards: () => invalid([problem("advance_to", "clock_backwards")]),
  AlreadyAdvancing: () => new Conflict(generalError("already_advancing")),
  ResponseUnreadable: () => new Conflict(generalError("answer_unreadable")),
  KeyReused: () => invalid([problem(null, "idempotency_key_reused")]),
  RequestInProgress: ({ retryAfterSeconds }: RequestInProgress) =>
    new Conflict(generalError("idempotency_key_at_work", { retry_after: retryAfterSeconds })),
  WrongPassword: ({ reason }: WrongPassword) => invalid([problem(null, "login_failed", { reason })]),
  WrongCode: () => invalid([problem(null, "login_failed", { reason: "wrong_code" })]),
  PasskeyRefused: () => invalid([problem(null, "login_failed", { reason: "wrong_passkey" })]),
  TokenNotFound: () => invalid([problem("token", "token_unusable")]),
  StateNotFound: () => invalid([problem("state", "token_unusable")]),
  ExternalLoginRefused: (refused: ExternalLoginRefused) =>
    new ExternalRefusal({
      ...errorBody([refused.problem]),
      provider_id: refused.providerId,
      ...(refused.retryUrl === undefined ? {} : { retry_url: refused.retryUrl }),
      ...(refused.userEmail === undefined ? {} : { user_email: refused.userEmail })
    }),
  LoginsOff: ({ why }: LoginsOff) =>
    invalid([problem(null, why, why === "provider_inactive" ? { reason: "method_off" } : undefined)]),
  RateLimited: (tooOften: RateLimited) => new TooManyRequests(generalError("too_often", limitParams(tooOften))),
  Blocked: ({ retryAfterSeconds, rateLimited: tooOften }: Blocked) =>
    tooOften !== undefined
      ? new TooManyRequests(generalError("too_often", limitParams(tooOften)))
      : new TooManyRequests(
          generalError("blocked", { minutes: Math.ceil(retryAfterSeconds / 60), retry_after: retryAfterSeconds })
        )
}

/** Maps domain failures to errors of `/v1`, which has its own status codes for failed logins (`v1.status`). */
export const wireErrorsV1 = {
  ...wireErrors,
  WrongPassword: ({ reason }: WrongPassword) => unauthorized("login_failed", { reason }),
  WrongCode: () => unauthorized("login_failed", { reason: "wrong_code" }),
  PasskeyRefused: () => unauthorized("login_failed", { reason: "wrong_passkey" }),
  LoginTokenNotFound: () => notFound("token"),
  ApiKeyUnknown: () => notFound("api_key")
}

const statusHeaders: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { "www-authenticate": "Bearer" },
  503: { "retry-after": "1" }
}

/** Splits the values or names listed in a message, so that programs can read them. */
const allowedIn = ({ allowed, known = allowed }: NonNullable<Problem["params"]>) =>
  typeof known === "string" ? { allowed: known.split(", ") } : {}

/** Keeps the list of allowed members in the first unknown-member problem of each object, and removes it from the others. */
const listKnownOnce = (problems: ReadonlyArray<Problem>): ReadonlyArray<Problem> => {
  const listed = new Set<unknown>()
  return problems.map((one) => {
    if (one.code !== "unknown_member" || one.params === undefined) return one
    const { known, ...params } = one.params
    if (!listed.has(known)) return listed.add(known), one
    return problem(one.field, one.code, params)
  })
}

/** The `errors` and `error_details` of a body, truncated, in the language of the request (C250). */
export const errorMembersOf = (
  problems: ReadonlyArray<Problem>,
  context: RequestContext,
  most: number = MAX_PROBLEMS.body
) => {
  const catalogue = catalogueOf(context)
  const details = listKnownOnce(limitProblems(problems, most)).map(({ field, code, params }) => ({
    field,
    code,
    message: formatMessage(catalogue, params === undefined ? { field, code } : { field, code, params }),
    ...(params === undefined ? {} : { params, ...allowedIn(params) })
  }))
  return { errors: details.map(({ message }) => message), error_details: details }
}

/** The standard error response (C9), in the language of the request. `extra` adds members to its body. */
export const errorResponse = (
  status: number,
  problems: ReadonlyArray<Problem>,
  context: RequestContext,
  extra: object = {}
) => {
  return HttpServerResponse.jsonUnsafe(
    {
      ...errorMembersOf(problems, context),
      request_id: context.requestId,
      ...extra
    },
    {
      status,
      headers: {
        "content-language": catalogueOf(context).language,
        ...statusHeaders[status],
        ...retryHeaders(problems)
      }
    }
  )
}

/** Returns the `Retry-After` header if a problem includes a retry time. */
const retryHeaders = (problems: ReadonlyArray<Problem>): Readonly<Record<string, string>> => {
  const seconds = problems.find(({ params }) => params?.["retry_after"] !== undefined)?.params?.["retry_after"]
  return seconds === undefined ? {} : { "retry-after": String(seconds), ...rateLimitHeaders(problems) }
}

/** Returns the RateLimit headers of the IETF draft if a limit was exceeded (C45). */
const rateLimitHeaders = (problems: ReadonlyArray<Problem>): Readonly<Record<string, string>> => {
  const { limit, most, within, retry_after } = problems.find(({ code }) => code === "too_often")?.params ?? {}
  if (limit === undefined) return {}
  return { ratelimit: `"${limit}";r=0;t=${retry_after}`, "ratelimit-policy": `"${limit}";q=${most};w=${within}` }
}

/** Returns the additional members of the response to a failed login at an external provider. */
const refusalMembers = (error: WireError): object => {
  if (!(error instanceof ExternalRefusal)) return {}
  const { provider_id, retry_url, user_email } = error
  return {
    provider_id,
    ...(retry_url === undefined ? {} : { retry_url }),
    ...(user_email === undefined ? {} : { user_email })
  }
}

/** The standard error response for a wire error. */
export const wireErrorResponse = (error: WireError, context: RequestContext) => {
  const [detail] = error.error_details
  if (error.status === 503 && detail !== undefined)
    context.refusal ??= { reason: detail.code, isDatabaseUnreachable: false }
  return errorResponse(error.status, error.error_details, context, refusalMembers(error))
}

/** The 405 response to a method that an address does not support. `methods` lists the supported ones. */
export const methodNotAllowed = (method: string, methods: ReadonlyArray<string>, context: RequestContext) => {
  const allowed = methods.join(", ")
  return HttpServerResponse.setHeader(
    errorResponse(405, [problem(null, "method_not_allowed", { method, allowed })], context),
    "allow",
    allowed
  )
}

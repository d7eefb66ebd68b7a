import { Data, Match } from "effect"
import type { RateLimited } from "#domain/Limit"
import type { Blocked, LoginsOff, TokenNotFound, WrongCode, WrongPassword } from "#domain/Login"
import type { PasskeyRefused } from "#domain/Passkey"
import type { HashingBusy } from "#domain/Password"
import type { RealmNotFound } from "#domain/Realm"
import { type Problem, problem, type Rejected } from "#domain/Rejected"
import type { RedirectRefused } from "#domain/ReturnUrl"
import type { SessionNotFound } from "#domain/Session"
import type { SignupClosed } from "#domain/Signup"
import type { UserInactive, UserNotFound } from "#domain/User"
import type { CrossOriginForm, UnreadableForm } from "../Form.ts"

/** The JSONP callback is not a valid function name, or the app does not allow JSONP. */
export class JsonpRefused extends Data.TaggedError("JsonpRefused")<{ readonly why: "callback_form" | "jsonp_off" }> {}

/** Sessions can't be checked because the realm's sessions are unmanaged. */
export class SessionsUnmanaged extends Data.TaggedError("SessionsUnmanaged") {}

/** The failures of the operations. */
export type ApiFailure =
  | Rejected
  | WrongPassword
  | WrongCode
  | PasskeyRefused
  | TokenNotFound
  | SessionNotFound
  | UserNotFound
  | UserInactive
  | RealmNotFound
  | LoginsOff
  | SignupClosed
  | SessionsUnmanaged
  | RedirectRefused
  | Blocked
  | RateLimited
  | HashingBusy
  | CrossOriginForm
  | JsonpRefused
  | UnreadableForm

/** The details of a failure that the response contains. */
export interface ErrorDetails {
  readonly problems: ReadonlyArray<Problem>
  readonly retryAfterSeconds?: number
}

const error = (code: string, field: string | null = null) => ({ problems: [problem(field, code)] })

const unreadable = { 400: "malformed_body", 413: "body_too_large", 415: "unsupported_media_type" } as const

const tooOften = ({ limit, most, withinSeconds, retryAfterSeconds }: RateLimited): ErrorDetails => ({
  problems: [problem(null, "too_often", { limit, most, within: withinSeconds, retry_after: retryAfterSeconds })],
  retryAfterSeconds
})

const unusableToken = () => error("token_unusable", "token")

/** Maps a failure to the messages in the response. The response's status is always 200 (C9). */
export const errorDetailsOf = (failure: ApiFailure): ErrorDetails =>
  Match.valueTags(failure, {
    Rejected: ({ problems }) => ({ problems }),
    WrongPassword: () => error("login_failed"),
    WrongCode: () => error("login_failed"),
    PasskeyRefused: () => error("login_failed"),
    TokenNotFound: unusableToken,
    SessionNotFound: unusableToken,
    UserNotFound: unusableToken,
    UserInactive: unusableToken,
    RealmNotFound: () => error("not_found", "realm"),
    LoginsOff: ({ why }) => error(why),
    SignupClosed: ({ way }) => error(way === "request" ? "signup_by_invitation" : "signup_closed"),
    SessionsUnmanaged: () => error("sessions_unmanaged"),
    RedirectRefused: ({ why }) => error(why, why === "state_refused" ? "state" : "redirect_uri"),
    Blocked: ({ retryAfterSeconds, rateLimited: limit }) =>
      limit === undefined
        ? { problems: [problem(null, "blocked", { minutes: Math.ceil(retryAfterSeconds / 60) })], retryAfterSeconds }
        : tooOften(limit),
    RateLimited: tooOften,
    HashingBusy: ({ retryAfterSeconds }) => ({ ...error("account_busy"), retryAfterSeconds }),
    CrossOriginForm: () => error("foreign_origin"),
    JsonpRefused: ({ why }) => error(why, "callback"),
    UnreadableForm: ({ status, format = "JSON" }) => ({
      problems: [problem(null, unreadable[status], { format, most: 256 })]
    })
  })

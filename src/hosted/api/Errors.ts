import { Data, Match } from "effect"
import type { RateLimited } from "#domain/Limit"
import type { Blocked, LoginsOff, TokenNotFound, WrongCode, WrongPassword } from "#domain/Login"
import type { HashingBusy } from "#domain/Password"
import type { RealmNotFound } from "#domain/Realm"
import { type Problem, problem, type Rejected } from "#domain/Rejected"
import type { RedirectRefused } from "#domain/ReturnUrl"
import type { SessionNotFound } from "#domain/Session"
import type { SignupClosed } from "#domain/Signup"
import type { UserInactive, UserNotFound } from "#domain/User"
import type { Foreign, Unreadable } from "../Errors.ts"

/** A script is asked for by a name that is none of a function, or where the app allows no scripts. */
export class JsonpRefused extends Data.TaggedError("JsonpRefused")<{ readonly why: "callback_form" | "jsonp_off" }> {}

/** Sessions can't be checked where the realm keeps none. */
export class SessionsUnmanaged extends Data.TaggedError("SessionsUnmanaged") {}

/** The words that an operation of hosted login is refused with. */
export type HostedWord =
  | Rejected
  | WrongPassword
  | WrongCode
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
  | Foreign
  | JsonpRefused
  | Unreadable

/** What is said of a refusal, and after how many seconds to come back. */
export interface Said {
  readonly problems: ReadonlyArray<Problem>
  readonly retryAfterSeconds?: number
}

const say = (code: string, field: string | null = null) => ({ problems: [problem(field, code)] })

const unreadable = { 400: "malformed_body", 413: "body_too_large", 415: "unsupported_media_type" } as const

const tooOften = ({ most, withinSeconds, retryAfterSeconds }: RateLimited): Said => ({
  problems: [problem(null, "too_often", { most, within: withinSeconds, retry_after: retryAfterSeconds })],
  retryAfterSeconds
})

const token = () => say("token_unusable", "token")

/** The table from words to sentences: all are answered with status 200 (decision 9). */
export const saidOf = (word: HostedWord): Said =>
  Match.valueTags(word, {
    Rejected: ({ problems }) => ({ problems }),
    WrongPassword: () => say("login_failed"),
    WrongCode: () => say("login_failed"),
    TokenNotFound: token,
    SessionNotFound: token,
    UserNotFound: token,
    UserInactive: token,
    RealmNotFound: () => say("not_found", "realm"),
    LoginsOff: ({ why }) => say(why),
    SignupClosed: ({ way }) => say(way === "request" ? "signup_by_invitation" : "signup_closed"),
    SessionsUnmanaged: () => say("sessions_unmanaged"),
    RedirectRefused: ({ why }) => say(why, why === "state_refused" ? "state" : "redirect_uri"),
    Blocked: ({ retryAfterSeconds, tooOften: limit }) =>
      limit === undefined
        ? { problems: [problem(null, "blocked", { minutes: Math.ceil(retryAfterSeconds / 60) })], retryAfterSeconds }
        : tooOften(limit),
    RateLimited: tooOften,
    HashingBusy: ({ retryAfterSeconds }) => ({ ...say("account_busy"), retryAfterSeconds }),
    Foreign: () => say("foreign_origin"),
    JsonpRefused: ({ why }) => say(why, "callback"),
    Unreadable: ({ status }) => ({ problems: [problem(null, unreadable[status], { format: "JSON", most: 256 })] })
  })

import { Context, Data } from "effect"
import type { UserId } from "./Ids.ts"
import type { RateLimited } from "./Limit.ts"
import type { LoginFailure } from "./LoginFailure.ts"
import type { Login } from "./Session.ts"
import type { User } from "./User.ts"

/** A login that is complete. */
export interface LoggedIn {
  readonly _tag: "LoggedIn"
  readonly login: Login
  /** The URL of the app that takes the login over, with its token. Null: no app has a part in it, or the app has no handler. */
  readonly returnUrl: string | null
}

/** An authenticator app that a login waits for somebody to set up, who has no second factor. */
export interface Enrolment {
  /** In base32, to be typed into the app. */
  readonly secret: string
  /** The same as an `otpauth:` URI, and as its QR code. */
  readonly uri: string
  readonly svg: string
}

/** What a login waits for somebody to set up who has no second factor: an app, or a passkey in its place. */
export interface RequiredEnrolment extends Enrolment {
  /** Whether a passkey can be created in place of the app. */
  readonly orPasskey: boolean
}

/**
 * A login that a second-factor code completes, by its token. `enrolment`: what the code is of, if the user had no second
 * factor yet.
 */
export interface MfaRequired {
  readonly _tag: "MfaRequired"
  readonly user: User
  readonly token: string
  readonly enrolment: RequiredEnrolment | undefined
}

/** The outcome of a login, by whatever it was begun: password, provider, reset, invitation or signup. */
export type LoginOutcome = LoggedIn | MfaRequired

/** A user with what a login checks: the password hash, and whether a second factor is required. */
export interface Account {
  readonly user: User
  readonly passwordHash: string | undefined
  readonly secondFactor: boolean
  /** Whether the realm allows password login. */
  readonly passwordsEnabled: boolean
}

/** The password was wrong, or the user has none, is inactive or does not exist. */
export class WrongPassword extends Data.TaggedError("WrongPassword")<{ readonly reason: LoginFailure }> {}

/** The TOTP code is wrong, expired or already used. */
export class WrongCode extends Data.TaggedError("WrongCode") {}

/** Too many wrong passwords or codes for a user or name (C24), or too many attempts altogether (C45). */
export class Blocked extends Data.TaggedError("Blocked")<{
  /** Null for a name no user has. */
  readonly userId: UserId | null
  readonly retryAfterSeconds: number
  readonly rateLimited?: RateLimited
}> {}

/** The one-time token is unknown, used, expired, or for another purpose. */
export class TokenNotFound extends Data.TaggedError("TokenNotFound") {}

/** The key is no API key of an active API user. */
export class ApiKeyUnknown extends Data.TaggedError("ApiKeyUnknown") {}

/** The realm is inactive, or this login method is disabled. */
export class LoginsOff extends Data.TaggedError("LoginsOff")<{
  readonly why: "realm_inactive" | "provider_inactive"
}> {}

/** The known-browser secrets from the cookie of the current request (SEC-108). Empty if no browser is involved. */
export const CurrentBrowser = Context.Reference<ReadonlyArray<string>>("sallyport/domain/CurrentBrowser", {
  defaultValue: () => []
})

/**
 * What can be tried. Attempts are counted separately for each (C24): codes by mail that begin a login apart from those that
 * complete one, as whoever knows an e-mail can try them (C142).
 */
export type GuessedSecret = "password" | "code" | "passkey" | "email_code"

/** How many wrong guesses block a user, and for how long. */
export const MAX_GUESSES = 10
export const BLOCK_MINUTES = 15

/** For how long a wrong guess adds to later ones. Undefined: until the right one is given. */
export const WINDOW_MINUTES: Readonly<Record<GuessedSecret, number | undefined>> = {
  password: undefined,
  code: 15,
  passkey: 15,
  email_code: 15
}

/**
 * How long wrong passwords for a name no user has are remembered. Those of a user are remembered until the right one is
 * given.
 */
export const UNKNOWN_NAME_DAYS = 30

/** How many codes may be tried with one pending login, or with one token for a code by mail. */
export const CODES_PER_LOGIN = 5

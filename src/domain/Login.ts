import { Context, Data } from "effect"
import type { UserId } from "./Ids.ts"
import type { RateLimited } from "./Limit.ts"
import type { LoginFailure } from "./LoginFailure.ts"
import type { Login } from "./Session.ts"
import type { User } from "./User.ts"

/** A completed login. */
export interface LoggedIn {
  readonly _tag: "LoggedIn"
  readonly login: Login
  /** The URL of the app's handler with the login token. Null if no app is involved or the app has no handler. */
  readonly returnUrl: string | null
}

/** An authenticator app that a user without a second factor must set up to complete a login. */
export interface Enrolment {
  /** The secret in base32, for typing into the app. */
  readonly secret: string
  /** The secret as an `otpauth:` URI, and that URI as a QR code. */
  readonly uri: string
  readonly svg: string
}

/** The setup a login requires from a user without a second factor: an authenticator app, or a passkey instead. */
export interface RequiredEnrolment extends Enrolment {
  /** Whether the user may create a passkey instead. */
  readonly allowsPasskey: boolean
}

/**
 * A login that needs its token and a second factor to complete. `enrolment` is the authenticator app to set up if the user
 * has no second factor yet.
 */
export interface MfaRequired {
  readonly _tag: "MfaRequired"
  readonly user: User
  readonly token: string
  readonly enrolment: RequiredEnrolment | undefined
}

/** The outcome of a login by password, provider, reset, invitation or signup. */
export type LoginOutcome = LoggedIn | MfaRequired

/** A user with the data needed to check a login. `secondFactor` is whether a second factor is required. */
export interface Account {
  readonly user: User
  readonly passwordHash: string | undefined
  readonly secondFactor: boolean
  /** Whether the realm allows password login. */
  readonly passwordsEnabled: boolean
}

/** The password is wrong, or the user has none, is inactive or does not exist. */
export class WrongPassword extends Data.TaggedError("WrongPassword")<{ readonly reason: LoginFailure }> {}

/** The TOTP code is wrong, expired or already used. */
export class WrongCode extends Data.TaggedError("WrongCode") {}

/** There were too many wrong passwords or codes for a user or name (C24), or too many attempts in total (C45). */
export class Blocked extends Data.TaggedError("Blocked")<{
  /** Null if no user has the name. */
  readonly userId: UserId | null
  readonly retryAfterSeconds: number
  readonly rateLimited?: RateLimited
}> {}

/** The one-time token is unknown, used, expired, or for another purpose. */
export class TokenNotFound extends Data.TaggedError("TokenNotFound") {}

/** The key is not an API key of an active API user. */
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
 * The kinds of secrets that can be guessed. Attempts are counted separately for each (C24). Emailed codes that start a
 * login have their own count, apart from codes that complete one, because anyone who knows an email can try them (C142).
 */
export type GuessedSecret = "password" | "code" | "passkey" | "email_code"

/** The number of wrong guesses that block a user, and the duration of the block. */
export const MAX_GUESSES = 10
export const BLOCK_MINUTES = 15

/** How long a wrong guess counts, in minutes. If undefined, it counts until the correct secret is entered. */
export const WINDOW_MINUTES: Readonly<Record<GuessedSecret, number | undefined>> = {
  password: undefined,
  code: 15,
  passkey: 15,
  email_code: 15
}

/**
 * How long wrong passwords for an unknown name are remembered, in days. Wrong passwords for a user are remembered until the
 * correct one is entered.
 */
export const UNKNOWN_NAME_RETENTION_DAYS = 30

/** The maximum number of codes that can be tried per pending login or per emailed code. */
export const CODES_PER_LOGIN = 5

import { Context, Data } from "effect"
import type { UserId } from "./Ids.ts"
import type { RateLimited } from "./Limit.ts"
import type { Login } from "./Session.ts"
import type { User } from "./User.ts"

/** What a login comes to: a session, or a token to be completed with a code of the second factor. */
export type LoginOutcome =
  | { readonly _tag: "LoggedIn"; readonly login: Login }
  | { readonly _tag: "CodeDue"; readonly user: User; readonly token: string }

/** A user as a login looks at one: with the hash of its password, and whether a code is due after it. */
export interface Account {
  readonly user: User
  readonly passwordHash: string | undefined
  readonly secondFactor: boolean
  /** Whether the realm lets anyone log in by password. */
  readonly passwordsOn: boolean
}

/** The right password was not given: it was wrong, or the user has none, is inactive or is not there. */
export class WrongPassword extends Data.TaggedError("WrongPassword") {}

/** The code of the second factor is not one of now, or was used already. */
export class WrongCode extends Data.TaggedError("WrongCode") {}

/** Too many wrong passwords or codes of a user, or for a name (decision 24), or too many at all (decision 45): try again after so many seconds. */
export class Blocked extends Data.TaggedError("Blocked")<{
  /** Null for a name that nobody has. */
  readonly userId: UserId | null
  readonly retryAfterSeconds: number
  readonly tooOften?: RateLimited
}> {}

/** A one-time token that is not there (any more), or is not meant for this. */
export class TokenNotFound extends Data.TaggedError("TokenNotFound") {}

/** No API key of an active api user. */
export class ApiKeyUnknown extends Data.TaggedError("ApiKeyUnknown") {}

/** The realm is inactive, or has the way to log in turned off. */
export class LoginsOff extends Data.TaggedError("LoginsOff")<{
  readonly why: "realm_inactive" | "provider_inactive"
}> {}

/**
 * What the browser of a call keeps of the logins that went well there, by which it is known again (SEC-108). Nothing where
 * no browser has a part in the call.
 */
export const CurrentBrowser = Context.Reference<ReadonlyArray<string>>("sallyport/domain/CurrentBrowser", {
  defaultValue: () => []
})

/** What is guessed at, each counted by itself (decision 24). */
export type Guessed = "password" | "code"

/** How many guesses are looked at before a user is blocked, and for how long. */
export const GUESSES = 10
export const BLOCK_MINUTES = 15

/** Within which time of the one before a guess adds to it: a code within minutes, a password until the right one comes. */
export const WINDOW_MINUTES: Readonly<Record<Guessed, number | undefined>> = { password: undefined, code: 15 }

/** How long wrong passwords for a name that nobody has are remembered: those of a user are until the right one comes. */
export const UNKNOWN_DAYS = 30

/** How many codes may be tried with one pending login. */
export const CODES_PER_LOGIN = 5

import { STATE_MINUTES } from "#domain/ExternalLogin"
import { sha256 } from "#platform/Tokens"
import { hostCookie, hostCookieNames, type RequestAtOrigin } from "./HostCookie.ts"

/** The maximum number of concurrent social logins in one browser. Beyond it, the oldest logins are dropped. */
export const MAX_SOCIAL_LOGINS = 16

const SECRET = /^[0-9A-Za-z]{43}$/

const PREFIX = "social_login_"

/** The changes that a response makes to the browser's pending social logins, which are identified by their secrets. */
export interface OAuthStateChanges {
  readonly started?: string
  readonly ended?: ReadonlyArray<string>
}

/**
 * The cookie that binds a social login to the browser that started it (SEC-36, SEC-60). Each login has its own cookie, because
 * tabs that start logins at the same time would overwrite a shared cookie.
 */
const cookieOf = (name: string) => hostCookie(name, "/auth")

const nameOf = (secret: string) => `${PREFIX}${Buffer.from(sha256(secret)).toString("hex").slice(0, 16)}`

/** Returns the secrets of the browser's pending logins, oldest first. */
export const oauthStatesIn = (request: RequestAtOrigin): ReadonlyArray<string> =>
  hostCookieNames(request, PREFIX).flatMap((name) => {
    const secret = cookieOf(name).read(request) ?? ""
    return SECRET.test(secret) && nameOf(secret) === name ? [secret] : []
  })

/** Adds a new login, and drops the oldest logins beyond the maximum. */
export const withLogin = (request: RequestAtOrigin, started: string): OAuthStateChanges => ({
  started,
  ended: oauthStatesIn(request).slice(0, -(MAX_SOCIAL_LOGINS - 1))
})

/** Sets the cookie of the new login until it expires, and deletes the cookies of ended logins. */
export const setOAuthStates = (origin: string, { started: begun, ended = [] }: OAuthStateChanges) => [
  ...ended.map((secret) => cookieOf(nameOf(secret)).write(origin, "", 0)),
  ...(begun === undefined ? [] : [cookieOf(nameOf(begun)).write(origin, begun, `${STATE_MINUTES} minutes`)])
]

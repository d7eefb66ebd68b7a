import { STATE_MINUTES } from "#domain/ExternalLogin"
import { sha256 } from "#platform/Tokens"
import { type AtOrigin, hostCookie, hostCookieNames } from "./HostCookie.ts"

/** How many social logins a browser may have under way at once. The oldest are forgotten. */
export const MAX_SOCIAL_LOGINS = 16

const SECRET = /^[0-9A-Za-z]{43}$/

const PREFIX = "social_login_"

/** What a response changes in the social logins that a browser has under way, by their secrets. */
export interface OAuthStateChanges {
  readonly begun?: string
  readonly ended?: ReadonlyArray<string>
}

/**
 * The cookie that ties a social login to the browser that began it (SEC-36, SEC-60). Each login has one of its own: tabs that begin
 * logins at the same time would overwrite a common one.
 */
const cookieOf = (name: string) => hostCookie(name, "/auth")

const nameOf = (secret: string) => `${PREFIX}${Buffer.from(sha256(secret)).toString("hex").slice(0, 16)}`

/** The secrets of the logins that this browser has begun, oldest first. */
export const oauthStatesIn = (request: AtOrigin): ReadonlyArray<string> =>
  hostCookieNames(request, PREFIX).flatMap((name) => {
    const secret = cookieOf(name).read(request) ?? ""
    return SECRET.test(secret) && nameOf(secret) === name ? [secret] : []
  })

/** What a login that begins changes: it is added, and the oldest are forgotten where there are too many. */
export const withLogin = (request: AtOrigin, begun: string): OAuthStateChanges => ({
  begun,
  ended: oauthStatesIn(request).slice(0, -(MAX_SOCIAL_LOGINS - 1))
})

/** Sets the cookie of a login that begins, for as long as it may take, and deletes those of logins that have ended. */
export const setOAuthStates = (origin: string, { begun, ended = [] }: OAuthStateChanges) => [
  ...ended.map((secret) => cookieOf(nameOf(secret)).write(origin, "", 0)),
  ...(begun === undefined ? [] : [cookieOf(nameOf(begun)).write(origin, begun, `${STATE_MINUTES} minutes`)])
]

import { type AtOrigin, hostCookie } from "./HostCookie.ts"

/** As long as an authorization request lasts at most. */
const HOURS = 24

/**
 * The cookie that holds the secret of the authorization request that a browser is logging in for, so that the link of a mail leads
 * back to it (C188).
 */
const cookie = hostCookie("authorization")

/** The secret that a browser sent. */
export const authorizationIn = (request: AtOrigin): string | undefined => cookie.read(request)

/** Sets the cookie. */
export const setAuthorization = (origin: string, secret: string) => cookie.write(origin, secret, `${HOURS} hours`)

/** Deletes the cookie. */
export const clearAuthorization = (origin: string) => cookie.write(origin, "", 0)

import { hostCookie, type RequestAtOrigin } from "./HostCookie.ts"

/** The maximum lifetime of an authorization request. */
const HOURS = 24

/**
 * The cookie with the secret of the authorization request that the browser is logging in for. With it, links in emails can
 * return to that request (C188).
 */
const cookie = hostCookie("authorization")

/** Returns the secret in the cookie of a request. */
export const authorizationIn = (request: RequestAtOrigin): string | undefined => cookie.read(request)

/** Sets the cookie. */
export const setAuthorization = (origin: string, secret: string) => cookie.write(origin, secret, `${HOURS} hours`)

/** Deletes the cookie. */
export const clearAuthorization = (origin: string) => cookie.write(origin, "", 0)

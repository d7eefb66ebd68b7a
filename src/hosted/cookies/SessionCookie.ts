import { Duration } from "effect"
import type { SessionSecret } from "#core/sessions/BrowserSessions"
import { SESSION_COOKIE } from "#domain/HostCookieName"
import { hostCookie } from "./HostCookie.ts"

/** The cookie with the secret of the browser's session (C40). */
const cookie = hostCookie(SESSION_COOKIE)

/** Returns the session secret in the cookie of a request. */
export const sessionSecretIn = cookie.read

/** Sets the cookie until the session ends. */
export const setSession = (origin: string, { secret, seconds }: SessionSecret) =>
  cookie.write(origin, secret, Duration.seconds(seconds))

/** Deletes the cookie. */
export const clearSession = (origin: string) => cookie.write(origin, "", 0)

import { Duration } from "effect"
import type { SessionSecret } from "#core/sessions/BrowserSessions"
import { hostCookie } from "./HostCookie.ts"

/** The cookie that holds the secret of a browser's session (C40). */
const cookie = hostCookie("session")

/** The session secret that a browser sent. */
export const sessionSecretIn = cookie.read

/** Sets the cookie until the session ends. */
export const setSession = (origin: string, { secret, seconds }: SessionSecret) =>
  cookie.write(origin, secret, Duration.seconds(seconds))

/** Deletes the cookie. */
export const clearSession = (origin: string) => cookie.write(origin, "", 0)

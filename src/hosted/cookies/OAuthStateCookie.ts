import { STATE_MINUTES } from "#domain/ExternalLogin"
import { hostCookie } from "./HostCookie.ts"

/** How many social logins a browser may have under way at once. The oldest is forgotten. */
const MOST = 4

const SECRET = /^[0-9A-Za-z]{43}$/

/** The cookie that ties social logins to the browser that began them (SEC-36, SEC-60). */
const cookie = hostCookie("social_login", "/auth")

/** The secrets of the logins that this browser has begun, newest last. */
export const oauthStatesIn = (request: Parameters<typeof cookie.read>[0]): ReadonlyArray<string> =>
  (cookie.read(request) ?? "")
    .split(".")
    .filter((secret) => SECRET.test(secret))
    .slice(-MOST)

/** Sets the cookie for as long as a login may take. Without secrets the cookie is deleted. */
export const setOAuthStates = (origin: string, secrets: ReadonlyArray<string>) =>
  cookie.write(origin, secrets.slice(-MOST).join("."), secrets.length === 0 ? 0 : `${STATE_MINUTES} minutes`)

import { Duration } from "effect"
import type { KnownBrowserSecrets } from "#core/limits/KnownBrowsers"
import { hostCookie } from "./HostCookie.ts"

/** The cookie that shows which users have logged in with this browser before. It outlives sessions (SEC-108). */
const cookie = hostCookie("known_browser")

/** Returns the secrets in the cookie, newest last. */
export const knownBrowserIn = (request: Parameters<typeof cookie.read>[0]): ReadonlyArray<string> =>
  (cookie.read(request) ?? "").split(".")

/** Sets the cookie. */
export const setKnownBrowser = (origin: string, { secrets, seconds }: KnownBrowserSecrets) =>
  cookie.write(origin, secrets.join("."), Duration.seconds(seconds))

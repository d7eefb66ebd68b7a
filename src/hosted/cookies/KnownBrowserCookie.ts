import { Duration } from "effect"
import type { KnownBrowserSecrets } from "#core/limits/KnownBrowsers"
import { hostCookie } from "./HostCookie.ts"

/** The cookie that outlives sessions and shows which users have logged in with this browser before (SEC-108). */
const cookie = hostCookie("known_browser")

/** The secrets in the cookie, newest last. */
export const knownBrowserIn = (request: Parameters<typeof cookie.read>[0]): ReadonlyArray<string> =>
  (cookie.read(request) ?? "").split(".")

/** Sets the cookie. */
export const setKnownBrowser = (origin: string, { secrets, seconds }: KnownBrowserSecrets) =>
  cookie.write(origin, secrets.join("."), Duration.seconds(seconds))

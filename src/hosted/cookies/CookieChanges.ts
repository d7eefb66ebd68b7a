import type { HttpServerResponse } from "effect/http"
import type { KnownBrowserSecrets } from "#core/limits/KnownBrowsers"
import type { TrustedDeviceSecrets } from "#core/provisioning/TrustedDevices"
import type { SessionSecret } from "#core/sessions/BrowserSessions"
import { clearAuthorization, setAuthorization } from "./AuthorizationCookie.ts"
import { setKnownBrowser } from "./KnownBrowserCookie.ts"
import { type OAuthStateChanges, setOAuthStates } from "./OAuthStateCookie.ts"
import { setDeclinedPasskeys } from "./PasskeyOfferCookie.ts"
import { clearSession, setSession } from "./SessionCookie.ts"
import { setTrustedDevice } from "./TrustedDeviceCookie.ts"

type HttpResponse = HttpServerResponse.HttpServerResponse

/** The changes that a response makes to the browser's cookies. Undefined members leave a cookie unchanged. */
export interface CookieChanges {
  /** The new session, which also makes the browser a known browser. `ended` deletes the cookie. */
  readonly session?: SessionSecret | "ended"
  /** The new secrets of the known browser, if the session does not change. */
  readonly knownBrowser?: KnownBrowserSecrets
  /** The new secrets of the browser, which a user has just trusted. */
  readonly trustedDevice?: TrustedDeviceSecrets | undefined
  /** The social logins that start or end. */
  readonly oauthStates?: OAuthStateChanges
  /** The users who have declined a passkey in this browser. */
  readonly declinedPasskeys?: ReadonlyArray<string>
  /** The secret of the authorization request that the browser is logging in for. Null deletes the cookie. */
  readonly authorization?: string | null
}

/** Applies the changes to a response. */
export const withCookies =
  (
    origin: string,
    { session, knownBrowser, trustedDevice, oauthStates, declinedPasskeys, authorization }: CookieChanges
  ) =>
  (response: HttpResponse): HttpResponse => {
    const known = session === undefined || session === "ended" ? knownBrowser : session.known
    const setters = [
      ...(session === undefined ? [] : [session === "ended" ? clearSession(origin) : setSession(origin, session)]),
      ...(known === undefined ? [] : [setKnownBrowser(origin, known)]),
      ...(trustedDevice === undefined ? [] : [setTrustedDevice(origin, trustedDevice)]),
      ...(oauthStates === undefined ? [] : setOAuthStates(origin, oauthStates)),
      ...(declinedPasskeys === undefined ? [] : [setDeclinedPasskeys(origin, declinedPasskeys)]),
      ...(authorization === undefined
        ? []
        : [authorization === null ? clearAuthorization(origin) : setAuthorization(origin, authorization)])
    ]
    return setters.reduce((result, set) => set(result), response)
  }

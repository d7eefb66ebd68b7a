import { Data } from "effect"
import type { ConnectedApp } from "./ConnectedApp.ts"
import { isWithin } from "./Text.ts"
import { redirectUriProblem } from "./WebUrl.ts"

/**
 * A login or logout cannot return to its app. Either the requested URL is not registered, the app has no handler, the
 * `state` is invalid, or the app's requirements for the login cannot be met.
 */
export class RedirectRefused extends Data.TaggedError("RedirectRefused")<{
  readonly why: "redirect_refused" | "state_refused" | "demands_refused" | "handler_missing"
}> {}

/** Where to send users after a login or logout, as requested by the app. */
export interface ReturnTarget {
  /** The URL to return to. If null, a login returns to the app's handler, and a logout ends on a confirmation page. */
  readonly returnTo: string | null
  /**
   * A value returned unchanged with the token, so that the app recognizes the login it started (SEC-91). Null if the app
   * sent none.
   */
  readonly state: string | null
}

/** The maximum length of an app's `state`, in characters (C48). */
const STATE_LENGTH = 512

const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/u

const isState = (text: string): boolean => isWithin(STATE_LENGTH, text) && !INVISIBLE.test(text)

/** Rejects a `state` that is too long or contains invisible characters. */
export const checkState = (state: string | null): RedirectRefused | undefined =>
  state === null || isState(state) ? undefined : new RedirectRefused({ why: "state_refused" })

type RegisteredUrls = Pick<ConnectedApp, "loginHandler" | "signupHandler" | "redirectUris">

/** Finds the registered URI that equals the requested one after parsing both. Prefixes and similar URLs never match (SEC-33). */
const registeredUri = (registered: ReadonlyArray<string>, requested: string): string | RedirectRefused => {
  const href = redirectUriProblem(requested) === undefined ? URL.parse(requested)?.href : undefined
  return registered.find((uri) => URL.parse(uri)?.href === href) ?? new RedirectRefused({ why: "redirect_refused" })
}

/**
 * The URL to return to after a login: the requested one, or else the app's login handler. New users return to the signup
 * handler if the app has one.
 */
export const resolveReturnUrl = (
  app: RegisteredUrls,
  { returnTo, state }: ReturnTarget,
  isNew: boolean
): string | RedirectRefused => {
  const refusal = checkState(state)
  if (refusal !== undefined) return refusal
  if (returnTo !== null) return registeredUri(app.redirectUris, returnTo)
  const handler = isNew ? (app.signupHandler ?? app.loginHandler) : app.loginHandler
  return handler ?? new RedirectRefused({ why: "handler_missing" })
}

/**
 * The URL of the app for users who leave the hosted pages without logging in or out: the requested URL if it is registered
 * for logins, or else the root of the login handler's site. Null if neither is a web URL.
 */
export const resolveAppUrl = (app: RegisteredUrls, returnTo: string | null): string | null => {
  const requested = returnTo === null ? null : registeredUri(app.redirectUris, returnTo)
  if (typeof requested === "string") return requested
  const origin = app.loginHandler === null ? undefined : URL.parse(app.loginHandler)?.origin
  return origin === undefined || origin === "null" ? null : `${origin}/`
}

/** Appends parameters to a URL's query. Existing parameters with the names in `replaced` are removed. */
const withParams = (
  address: string,
  replaced: ReadonlyArray<string>,
  params: Readonly<Record<string, string>>
): string => {
  const url = new URL(address)
  for (const name of replaced) if (url.searchParams.has(name)) url.searchParams.delete(name)
  const added = Object.entries(params).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  url.search = [...(url.search === "" ? [] : [url.search.slice(1)]), ...added].join("&")
  return url.href
}

/** Returns whether an app has registered a URL for returning after a logout. */
export const isLogoutUri = ({ logoutUris }: Pick<ConnectedApp, "logoutUris">, requested: string): boolean =>
  typeof registeredUri(logoutUris, requested) === "string"

/**
 * The URL to return to after a logout, including the app's `state`. The requested URL must be registered for logins or
 * logouts (C65). Null if none was requested.
 */
export const resolveLogoutUrl = (
  app: RegisteredUrls & Pick<ConnectedApp, "logoutUris">,
  { returnTo, state }: ReturnTarget
): string | null | RedirectRefused => {
  const refusal = checkState(state)
  if (refusal !== undefined) return refusal
  if (returnTo === null) return null
  const handlers = [app.loginHandler, app.signupHandler].filter((handler) => handler !== null)
  const url = registeredUri([...handlers, ...app.redirectUris, ...app.logoutUris], returnTo)
  return url instanceof RedirectRefused || state === null ? url : withParams(url, ["state"], { state })
}

/**
 * Adds the login token and the app's `state` to the return URL (C48), and `signup=true` for a user who was just created
 * (`v1.hosted`). Existing parameters with these names are replaced.
 */
export const withLoginToken = (
  returnUrl: string,
  token: string,
  { isNew = false, state }: { readonly isNew?: boolean; readonly state: string | null }
): string =>
  withParams(returnUrl, ["token", "signup", ...(state === null ? [] : ["state"])], {
    token,
    ...(isNew ? { signup: "true" } : {}),
    ...(state === null ? {} : { state })
  })

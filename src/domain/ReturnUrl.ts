import { Data } from "effect"
import type { ConnectedApp } from "./ConnectedApp.ts"
import { isWithin } from "./Text.ts"
import { redirectUriProblem } from "./WebUrl.ts"

/**
 * A login or a logout cannot return to its app: the requested URL is not registered, the app has no handler, `state` is not
 * acceptable, or the app's demands on the login cannot be met.
 */
export class RedirectRefused extends Data.TaggedError("RedirectRefused")<{
  readonly why: "redirect_refused" | "state_refused" | "demands_refused" | "handler_missing"
}> {}

/** Where an app wants users to be sent after a login or a logout. */
export interface ReturnTarget {
  /** The URL to return to. Null: the app's handler; after a logout, a page that confirms it. */
  readonly returnTo: string | null
  /**
   * Returned unchanged with the token, so that the app recognizes a login that it started (SEC-91). Null: nothing is returned.
   */
  readonly state: string | null
}

/** The longest `state` of an app, in characters (C48). */
const STATE_LENGTH = 512

const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/u

const isState = (text: string): boolean => isWithin(STATE_LENGTH, text) && !INVISIBLE.test(text)

/** Rejects a `state` that is too long or has invisible characters. */
export const checkState = (state: string | null): RedirectRefused | undefined =>
  state === null || isState(state) ? undefined : new RedirectRefused({ why: "state_refused" })

type RegisteredUrls = Pick<ConnectedApp, "loginHandler" | "signupHandler" | "redirectUris">

/** The registered URI that equals the requested one as a parsed URL. Prefixes and similar URLs never match (SEC-33). */
const registeredUri = (registered: ReadonlyArray<string>, requested: string): string | RedirectRefused => {
  const href = redirectUriProblem(requested) === undefined ? URL.parse(requested)?.href : undefined
  return registered.find((uri) => URL.parse(uri)?.href === href) ?? new RedirectRefused({ why: "redirect_refused" })
}

/**
 * The URL that a login returns to: the requested one, else the app's login handler. New users return to the signup handler if
 * the app has one.
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
 * The URL of the app for users who leave the pages without a login or a logout: the requested URL, if the app has registered it
 * for logins, else the root of its login handler's site. Null: neither is a web URL.
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

/** Whether the app has registered a URL to return to after a logout. */
export const isLogoutUri = ({ logoutUris }: Pick<ConnectedApp, "logoutUris">, requested: string): boolean =>
  typeof registeredUri(logoutUris, requested) === "string"

/**
 * The URL that a logout returns to, with the app's `state`: the requested one, if the app has registered it for logins or
 * logouts (C65). Null: none was requested.
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
 * The return URL with the login token, with `signup=true` for a user who was just created (`v1.hosted`), and with the app's
 * `state` (C48). Existing parameters with these names are replaced.
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

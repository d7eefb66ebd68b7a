import { Data } from "effect"
import type { ConnectedApp } from "./ConnectedApp.ts"
import { isWithin } from "./Text.ts"
import { redirectUriProblem } from "./WebUrl.ts"

/**
 * A login cannot return to its app: the app has not registered the requested URL, the app has no handler, or `state` is not
 * acceptable.
 */
export class RedirectRefused extends Data.TaggedError("RedirectRefused")<{
  readonly why: "redirect_refused" | "state_refused" | "handler_missing"
}> {}

/** Where an app asks for users to be sent after a login. */
export interface ReturnTarget {
  /** The URL to return to. Null: the app's handler. */
  readonly returnTo: string | null
  /** Returned unchanged beside the token, so that the app recognizes a login that it began (SEC-91). Null: nothing is returned. */
  readonly state: string | null
}

/** The longest `state` of an app, in characters (C48). */
const STATE_LENGTH = 512

const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/u

const isState = (text: string): boolean => isWithin(STATE_LENGTH, text) && !INVISIBLE.test(text)

/** Refuses a `state` that is too long or has invisible characters. */
export const checkState = (state: string | null): RedirectRefused | undefined =>
  state === null || isState(state) ? undefined : new RedirectRefused({ why: "state_refused" })

type RegisteredUrls = Pick<ConnectedApp, "loginHandler" | "signupHandler" | "redirectUris">

/** The registered redirect URI that equals the requested one as a parsed URL, never by prefix or similarity (SEC-33). */
const registeredUri = ({ redirectUris }: RegisteredUrls, requested: string): string | undefined => {
  const href = redirectUriProblem(requested) === undefined ? URL.parse(requested)?.href : undefined
  return redirectUris.find((uri) => URL.parse(uri)?.href === href)
}

/**
 * The URL that a login returns to: the requested one, else the app's login handler. New users return to the signup handler
 * where the app has one.
 */
export const resolveReturnUrl = (
  app: RegisteredUrls,
  { returnTo, state }: ReturnTarget,
  isNew: boolean
): string | RedirectRefused => {
  const refusal = checkState(state)
  if (refusal !== undefined) return refusal
  if (returnTo !== null) return registeredUri(app, returnTo) ?? new RedirectRefused({ why: "redirect_refused" })
  const handler = isNew ? (app.signupHandler ?? app.loginHandler) : app.loginHandler
  return handler ?? new RedirectRefused({ why: "handler_missing" })
}

/**
 * The return URL with the login token, with `signup=true` for a user who was just created (`v1.hosted`), and
 * with the app's `state` (C48). Parameters of these names that the URL already has are replaced.
 */
export const withLoginToken = (
  returnUrl: string,
  token: string,
  { isNew = false, state }: { readonly isNew?: boolean; readonly state: string | null }
): string => {
  const url = new URL(returnUrl)
  const replaced = ["token", "signup", ...(state === null ? [] : ["state"])]
  for (const name of replaced) if (url.searchParams.has(name)) url.searchParams.delete(name)
  const before = url.search === "" ? "" : `${url.search.slice(1)}&`
  const added = `${isNew ? "&signup=true" : ""}${state === null ? "" : `&state=${encodeURIComponent(state)}`}`
  url.search = `${before}token=${encodeURIComponent(token)}${added}`
  return url.href
}

import { Data } from "effect"
import type { ConnectedApp } from "./ConnectedApp.ts"
import { isWithin } from "./Text.ts"
import { redirectUriProblem } from "./WebUrl.ts"

/**
 * A login can lead nowhere: the place that was asked for is none of the app's, the app has none, or the `state` that is to
 * come along is none.
 */
export class RedirectRefused extends Data.TaggedError("RedirectRefused")<{
  readonly why: "redirect_refused" | "state_refused" | "handler_missing"
}> {}

/** How an app wants to be told of a login. */
export interface ReturnTarget {
  /** Null: at its handler. */
  readonly returnTo: string | null
  /** What it hears again beside the token, so that it knows the login for one that it began; null: nothing (SEC-91). */
  readonly state: string | null
}

/** The longest `state` of an app, in characters (decision 48). */
const STATE_LENGTH = 512

const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/u

const isState = (text: string): boolean => isWithin(STATE_LENGTH, text) && !UNSEEN.test(text)

/** Refuses what can be no `state` of an app: invisible or too long. */
export const checkState = (state: string | null): RedirectRefused | undefined =>
  state === null || isState(state) ? undefined : new RedirectRefused({ why: "state_refused" })

type Places = Pick<ConnectedApp, "loginHandler" | "signupHandler" | "redirectUris">

/** The redirect URI of an app that this is, as a parsed URL (SEC-33): nothing that only begins like one, or looks like it. */
const allowed = ({ redirectUris }: Places, asked: string): string | undefined => {
  const href = redirectUriProblem(asked) === undefined ? URL.parse(asked)?.href : undefined
  return redirectUris.find((uri) => URL.parse(uri)?.href === href)
}

/** Where somebody who has logged in is sent: to what was asked for, else to the app's handler; a new user to that of signups. */
export const resolveReturnUrl = (
  app: Places,
  { returnTo, state }: ReturnTarget,
  isNew: boolean
): string | RedirectRefused => {
  const refusal = checkState(state)
  if (refusal !== undefined) return refusal
  if (returnTo !== null) return allowed(app, returnTo) ?? new RedirectRefused({ why: "redirect_refused" })
  const handler = isNew ? (app.signupHandler ?? app.loginHandler) : app.loginHandler
  return handler ?? new RedirectRefused({ why: "handler_missing" })
}

/**
 * The place with the token of a login, with `signup=true` where a user was made (api-v1 section 4, "Signup"), and with the
 * app's `state` (decision 48). What the place has under these names gives way, so that each is there once.
 */
export const withLoginToken = (
  place: string,
  token: string,
  { isNew = false, state }: { readonly isNew?: boolean; readonly state: string | null }
): string => {
  const url = new URL(place)
  const replaced = ["token", "signup", ...(state === null ? [] : ["state"])]
  for (const name of replaced) if (url.searchParams.has(name)) url.searchParams.delete(name)
  const before = url.search === "" ? "" : `${url.search.slice(1)}&`
  const along = `${isNew ? "&signup=true" : ""}${state === null ? "" : `&state=${encodeURIComponent(state)}`}`
  url.search = `${before}token=${encodeURIComponent(token)}${along}`
  return url.href
}

/** Pages of ours that a login may lead back to, in place of the app. */
const ownPages = ["profile", "accounts", "invitation"] as const

export type ReturnPage = (typeof ownPages)[number]

/** The page of ours that a text names; null: none. */
export const returnPageOf = (text: string): ReturnPage | null => ownPages.find((page) => page === text) ?? null

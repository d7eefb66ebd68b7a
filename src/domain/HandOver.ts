import { Data } from "effect"
import type { ConnectedApp } from "./ConnectedApp.ts"
import { redirectUriProblem } from "./WebUrl.ts"

/** There is no place to be sent to after a login: the one that was asked for is none of the app's, or the app has none. */
export class NoReturn extends Data.TaggedError("NoReturn")<{ readonly why: "redirect_refused" | "handler_missing" }> {}

type Places = Pick<ConnectedApp, "loginHandler" | "signupHandler" | "redirectUris">

/** The redirect URI of an app that this is, as a parsed URL (SEC-33): nothing that only begins like one, or looks like it. */
const allowed = ({ redirectUris }: Places, asked: string): string | undefined => {
  const href = redirectUriProblem(asked) === undefined ? URL.parse(asked)?.href : undefined
  return redirectUris.find((uri) => URL.parse(uri)?.href === href)
}

/** Where somebody who has logged in is sent: to what was asked for, else to the app's handler; a new user to that of signups. */
export const placeOfReturn = (app: Places, asked: string | null, isNew: boolean): string | NoReturn => {
  if (asked !== null) return allowed(app, asked) ?? new NoReturn({ why: "redirect_refused" })
  const handler = isNew ? (app.signupHandler ?? app.loginHandler) : app.loginHandler
  return handler ?? new NoReturn({ why: "handler_missing" })
}

/** The place with the token of a login, and with `signup=true` where a user was made (api-v1 section 4, "Signup"). */
export const handedOver = (place: string, token: string, isNew: boolean): string => {
  const url = new URL(place)
  for (const name of ["token", "signup"]) if (url.searchParams.has(name)) url.searchParams.delete(name)
  const before = url.search === "" ? "" : `${url.search.slice(1)}&`
  url.search = `${before}token=${encodeURIComponent(token)}${isNew ? "&signup=true" : ""}`
  return url.href
}

/** Pages of ours that a login may lead back to, in place of the app. */
const ownPages = ["profile", "accounts", "invitation"] as const

export type OwnPage = (typeof ownPages)[number]

/** The page of ours that a text names; null: none. */
export const ownPageIn = (text: string): OwnPage | null => ownPages.find((page) => page === text) ?? null

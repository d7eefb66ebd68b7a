import { Effect } from "effect"
import type { ConnectedApp } from "#domain/ConnectedApp"
import type { LoggedIn } from "#domain/Login"
import { RedirectRefused, type ReturnTarget, resolveReturnUrl, withLoginToken } from "#domain/ReturnUrl"
import type { Login } from "#domain/Session"
import type { TokenScope } from "../sessions/NewSessions.ts"

/** The target to which a login returns, and the contents of its token. */
export interface LoginRequest extends ReturnTarget {
  /** Whether the user's memberships are returned with the token. */
  readonly memberships: boolean
  /** Whether the token names the user's only org as selected. */
  readonly selectsOnlyOrg?: boolean
}

/** Returns the URL to which logins return, without a token, or null if the app has no login handler. */
export const returnUrlOf = Effect.fnUntraced(function* (app: ConnectedApp, target: ReturnTarget, isNew: boolean) {
  const url = resolveReturnUrl(app, target, isNew)
  if (!(url instanceof RedirectRefused)) return url
  return url.why === "handler_missing" ? null : yield* url
})

/** Makes the outcome of a login that returns to a URL with its token. */
export const loggedInAt = (url: string | null, login: Login, { state }: ReturnTarget, isNew = false): LoggedIn => ({
  _tag: "LoggedIn",
  login,
  returnUrl: url === null ? null : withLoginToken(url, login.token, { isNew, state })
})

/** Selects the memberships that a login's token contains. */
export const scopeOf = ({ memberships, selectsOnlyOrg = false }: LoginRequest): TokenScope => ({
  memberships,
  selectsOnlyOrg,
  remembersOrg: selectsOnlyOrg,
  orgId: undefined
})

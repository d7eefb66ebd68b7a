import { Effect } from "effect"
import { returnPageOf } from "#domain/HostedPaths"
import { isId } from "#domain/Ids"
import { parseUserCode } from "#domain/oauth/DeviceCode"
import type { Realm } from "#domain/Realm"
import { RedirectRefused, type ReturnTarget } from "#domain/ReturnUrl"
import { type LoginRequirements, parseLoginRequirements } from "#domain/StepUp"
import { nonBlank } from "#domain/Text"
import type { FormValues } from "./Form.ts"

/**
 * The parameters that each page of a login flow passes on to the next, in links and hidden fields: `redirect_uri` and `state`
 * for the app; `max_age` and `acr_values`, the app's requirements for the login; `next`, the page where the login continues;
 * `request`, the secret of the authorization request that continues there, and `ui_locales`, the languages that its client
 * prefers; `user_code`, the code of a waiting device; `org` and `member`, the org and the member that a team page shows.
 */
export type FlowParams = Readonly<Record<string, string>>

/** Returns the flow parameters in a query or form. */
export const flowParamsIn = (values: FormValues): FlowParams => {
  const next = returnPageOf(values("next"))
  return {
    ...flowParamsOf({ returnTo: nonBlank(values("redirect_uri")), state: nonBlank(values("state")) }),
    ...demandsIn(values),
    ...authorizationIn(values),
    ...userCodeIn(values),
    ...teamIn(values),
    ...(next === null ? {} : { next })
  }
}

/** The maximum length of an authorization request's parameter on a page, in UTF-16 units. */
const LENGTH = 255

/** The secret of the flow's authorization request, and the languages that its client prefers. */
const authorizationIn = (values: FormValues): FlowParams =>
  Object.fromEntries(
    (["request", "ui_locales"] as const).flatMap((name) => {
      const value = values(name).trim()
      return value === "" || value.length > LENGTH ? [] : [[name, value]]
    })
  )

/** The flow of a login for an authorization request: the page where the login continues, and the secret of the request. */
export const authorizationFlow = (secret: string, uiLocales: string | null): FlowParams => ({
  next: "authorize",
  request: secret,
  ...(uiLocales === null ? {} : { ui_locales: uiLocales })
})

/** The code of the device that waits for the login. */
const userCodeIn = (values: FormValues): FlowParams => {
  const code = parseUserCode(values("user_code"))
  return code === undefined ? {} : { user_code: code }
}

/** The org whose team a page shows, and the selected member. */
const teamIn = (values: FormValues): FlowParams => ({
  ...(isId("org", values("org")) ? { org: values("org") } : {}),
  ...(isId("membership", values("member")) ? { member: values("member") } : {})
})

/** Removes the parameters of a team page from a flow. */
export const withoutTeam = ({ org: _, member: __, ...rest }: FlowParams = {}): FlowParams => rest

const DEMANDS = ["max_age", "acr_values"] as const

/** The app's requirements for the login, as sent. Blank parameters are omitted. */
const demandsIn = (values: FormValues): FlowParams =>
  Object.fromEntries(DEMANDS.flatMap((name) => (values(name).trim() === "" ? [] : [[name, values(name).trim()]])))

/** Returns the app's requirements for the login, or undefined if they are invalid. */
export const demandsOf = (flow: FlowParams): LoginRequirements | undefined =>
  parseLoginRequirements(flow["max_age"], flow["acr_values"])

/**
 * Rejects login requirements that are invalid or can't be met, such as `aal2` in a realm whose logins have no second factor.
 */
export const requireDemands = ({ mfa }: Realm, flow: FlowParams) => {
  const demands = demandsOf(flow)
  const isRefused = demands === undefined || (mfa === "off" && demands.level === "aal2")
  return isRefused ? Effect.fail(new RedirectRefused({ why: "demands_refused" })) : Effect.void
}

/** Returns whether the app has requirements for the login. */
export const hasDemands = (flow: FlowParams): boolean => DEMANDS.some((name) => flow[name] !== undefined)

/** Removes the requirements from the flow of a login that has met them. */
export const withoutDemands = ({ max_age: _, acr_values: __, ...rest }: FlowParams): FlowParams => rest

/** The flow parameters of a return target. */
export const flowParamsOf = ({ returnTo, state }: ReturnTarget): FlowParams => ({
  ...(returnTo === null ? {} : { redirect_uri: returnTo }),
  ...(state === null ? {} : { state })
})

/** Removes `redirect_uri` from a flow, for links to pages that don't lead back to the app. */
export const withoutReturn = ({ redirect_uri: _, ...rest }: FlowParams = {}): FlowParams => rest

/** The return target of a flow, for a login or a logout. */
export const returnTargetOf = (flow: FlowParams): ReturnTarget => ({
  returnTo: flow["redirect_uri"] ?? null,
  state: flow["state"] ?? null
})

/** Returns the relative URL of another page, with the flow parameters. */
export const pageUrl = (page: string, flow: FlowParams = {}, more: FlowParams = {}): string => {
  const query = new URLSearchParams({ ...flow, ...more }).toString()
  return query === "" ? page : `${page}?${query}`
}

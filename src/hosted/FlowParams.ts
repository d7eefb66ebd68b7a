import { Effect } from "effect"
import { returnPageOf } from "#domain/HostedPaths"
import { isId } from "#domain/Ids"
import { parseUserCode } from "#domain/oauth/DeviceCode"
import type { Realm } from "#domain/Realm"
import { RedirectRefused, type ReturnTarget } from "#domain/ReturnUrl"
import { type LoginDemands, parseDemands } from "#domain/StepUp"
import { presence } from "#domain/Text"
import type { FormValues } from "./Form.ts"

/**
 * What every page of a login flow passes on to the next, in links and in hidden fields: `redirect_uri` and `state` for the
 * app, `max_age` and `acr_values`, which the login has to meet, and `next`, the page that it continues at; `request`, the secret
 * of the authorization request that it continues with there, and `ui_locales`, the languages that its client prefers; `user_code`, that
 * of a device that waits there; `org` and `member`, what the page of a team is about.
 */
export type FlowParams = Readonly<Record<string, string>>

/** The flow parameters of a query or a form. */
export const flowParamsIn = (values: FormValues): FlowParams => {
  const next = returnPageOf(values("next"))
  return {
    ...flowParamsOf({ returnTo: presence(values("redirect_uri")), state: presence(values("state")) }),
    ...demandsIn(values),
    ...authorizationIn(values),
    ...userCodeIn(values),
    ...teamIn(values),
    ...(next === null ? {} : { next })
  }
}

/** The longest value of a parameter of an authorization request on the pages, in UTF-16 units. */
const LENGTH = 255

/** The authorization request of a flow, and the languages of its client. */
const authorizationIn = (values: FormValues): FlowParams =>
  Object.fromEntries(
    (["request", "ui_locales"] as const).flatMap((name) => {
      const value = values(name).trim()
      return value === "" || value.length > LENGTH ? [] : [[name, value]]
    })
  )

/** The flow of a login for an authorization request: the page that it continues at, with the secret of the request. */
export const authorizationFlow = (secret: string, uiLocales: string | null): FlowParams => ({
  next: "authorize",
  request: secret,
  ...(uiLocales === null ? {} : { ui_locales: uiLocales })
})

/** The code of a device that the login continues at. */
const userCodeIn = (values: FormValues): FlowParams => {
  const code = parseUserCode(values("user_code"))
  return code === undefined ? {} : { user_code: code }
}

/** The org whose team a page is about, and the member of it. */
const teamIn = (values: FormValues): FlowParams => ({
  ...(isId("org", values("org")) ? { org: values("org") } : {}),
  ...(isId("membership", values("member")) ? { member: values("member") } : {})
})

/** The flow where a page is about no team. */
export const withoutTeam = ({ org: _, member: __, ...rest }: FlowParams = {}): FlowParams => rest

const DEMANDS = ["max_age", "acr_values"] as const

/** What an app demands of the login, as it says so. Blank text demands nothing. */
const demandsIn = (values: FormValues): FlowParams =>
  Object.fromEntries(DEMANDS.flatMap((name) => (values(name).trim() === "" ? [] : [[name, values(name).trim()]])))

/** What the app of a flow demands of the login. Undefined: nothing that could be understood. */
export const demandsOf = (flow: FlowParams): LoginDemands | undefined =>
  parseDemands(flow["max_age"], flow["acr_values"])

/** Rejects demands that can't be understood, or can't be met: `aal2` in a realm whose logins have no second factor. */
export const requireDemands = ({ mfa }: Realm, flow: FlowParams) => {
  const demands = demandsOf(flow)
  const isRefused = demands === undefined || (mfa === "off" && demands.level === "aal2")
  return isRefused ? Effect.fail(new RedirectRefused({ why: "demands_refused" })) : Effect.void
}

/** Whether the app of a flow demands anything of the login. */
export const hasDemands = (flow: FlowParams): boolean => DEMANDS.some((name) => flow[name] !== undefined)

/** The flow of a login that has met its demands. */
export const withoutDemands = ({ max_age: _, acr_values: __, ...rest }: FlowParams): FlowParams => rest

/** The flow parameters that pass on a return target. */
export const flowParamsOf = ({ returnTo, state }: ReturnTarget): FlowParams => ({
  ...(returnTo === null ? {} : { redirect_uri: returnTo }),
  ...(state === null ? {} : { state })
})

/** The flow without the address to return to, where a page leads elsewhere. */
export const withoutReturn = ({ redirect_uri: _, ...rest }: FlowParams = {}): FlowParams => rest

/** How the app of a flow asked to be told of the login, or of the logout. */
export const returnTargetOf = (flow: FlowParams): ReturnTarget => ({
  returnTo: flow["redirect_uri"] ?? null,
  state: flow["state"] ?? null
})

/** The relative URL of another page, with the parameters of the flow. */
export const pageUrl = (page: string, flow: FlowParams = {}, more: FlowParams = {}): string => {
  const query = new URLSearchParams({ ...flow, ...more }).toString()
  return query === "" ? page : `${page}?${query}`
}

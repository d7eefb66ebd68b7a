import { returnPageOf } from "#domain/HostedPaths"
import type { ReturnTarget } from "#domain/ReturnUrl"
import { presence } from "#domain/Text"
import type { FormValues } from "./Form.ts"

/**
 * What every page of a login flow passes on to the next, in links and in hidden fields: `redirect_uri` and `state` for the
 * app, and `next`, the page that the login continues at.
 */
export type FlowParams = Readonly<Record<string, string>>

/** The flow parameters of a query or a form. */
export const flowParamsIn = (values: FormValues): FlowParams => {
  const next = returnPageOf(values("next"))
  return {
    ...flowParamsOf({ returnTo: presence(values("redirect_uri")), state: presence(values("state")) }),
    ...(next === null ? {} : { next })
  }
}

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

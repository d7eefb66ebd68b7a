import { Effect } from "effect"
import type { Realm } from "#domain/Realm"
import { RedirectRefused } from "#domain/ReturnUrl"
import { demandsOf, type FlowParams } from "../FlowParams.ts"

/** Refuses demands that can't be understood, or met: a realm whose logins ask for no second factor has no `aal2`. */
export const requireDemands = ({ mfa }: Realm, flow: FlowParams) => {
  const demands = demandsOf(flow)
  const isRefused = demands === undefined || (mfa === "off" && demands.level === "aal2")
  return isRefused ? Effect.fail(new RedirectRefused({ why: "demands_refused" })) : Effect.void
}

import { DEVICE_CODE_GRANT, type OAuthClient } from "./OAuthClient.ts"
import type { OAuthReason } from "./OAuthProblem.ts"
import { parseScopes } from "./OAuthScope.ts"

/** What a device asks for: the `scope` parameter, and the `resource` parameters (RFC 8707). */
export interface DeviceDemand {
  readonly scope: string | undefined
  readonly resources: ReadonlyArray<string>
}

/** What a device is let ask its user for. */
export interface DeviceRequest {
  readonly scopes: ReadonlyArray<string>
  readonly resources: ReadonlyArray<string>
}

type Client = Pick<OAuthClient, "grantTypes" | "allowedScopes" | "resources">

/** The scopes out of those that are asked for which the client may have; without `scope` all but those of OpenID Connect. */
const scopesOf = ({ allowedScopes, grantTypes }: Client, { scope }: DeviceDemand): ReadonlyArray<string> => {
  const allowed = allowedScopes.filter((one) => one !== "offline_access" || grantTypes.includes("refresh_token"))
  if (scope === undefined) return allowed.filter((one) => one !== "openid" && one !== "offline_access")
  return (parseScopes(scope) ?? []).filter((one) => allowed.includes(one))
}

type Check = readonly [reason: OAuthReason, isWrong: (client: Client, demand: DeviceDemand) => boolean]

/** What is checked, in this order (RFC 8628 §3.1). Parameters that are not known are ignored. */
const checks: ReadonlyArray<Check> = [
  ["grant_type_not_allowed", ({ grantTypes }) => !grantTypes.includes(DEVICE_CODE_GRANT)],
  ["scope_malformed", (_, { scope }) => scope !== undefined && parseScopes(scope) === undefined],
  ["scope_none", (client, demand) => demand.scope !== undefined && scopesOf(client, demand).length === 0],
  ["resource_not_allowed", (client, { resources }) => !resources.every((one) => client.resources.includes(one))]
]

/** What a device asks for, or why it is refused. */
export const deviceRequestOf = (client: Client, demand: DeviceDemand): DeviceRequest | OAuthReason => {
  const wrong = checks.find(([, isWrong]) => isWrong(client, demand))
  if (wrong !== undefined) return wrong[0]
  return { scopes: scopesOf(client, demand), resources: [...new Set(demand.resources)] }
}

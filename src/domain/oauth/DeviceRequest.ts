import { DEVICE_CODE_GRANT, type OAuthClient } from "../clients/OAuthClient.ts"
import { parseScopes, requestedScopes } from "../clients/OAuthScope.ts"
import type { OAuthReason } from "./OAuthProblem.ts"

/** The parameters of a device authorization request: `scope` and `resource` (RFC 8707). */
export interface DeviceParams {
  readonly scope: string | undefined
  readonly resources: ReadonlyArray<string>
}

/** The scopes and resource servers that a device asks its user for. */
export interface DeviceRequest {
  readonly scopes: ReadonlyArray<string>
  readonly resources: ReadonlyArray<string>
}

type Client = Pick<OAuthClient, "grantTypes" | "allowedScopes" | "resources">

type Check = readonly [reason: OAuthReason, isWrong: (client: Client, demand: DeviceParams) => boolean]

/** The checks, in order (RFC 8628 §3.1). Unknown parameters are ignored. */
const checks: ReadonlyArray<Check> = [
  ["grant_type_not_allowed", ({ grantTypes }) => !grantTypes.includes(DEVICE_CODE_GRANT)],
  ["scope_malformed", (_, { scope }) => scope !== undefined && parseScopes(scope) === undefined],
  ["scope_none", (client, demand) => demand.scope !== undefined && requestedScopes(client, demand.scope).length === 0],
  ["resource_not_allowed", (client, { resources }) => !resources.every((one) => client.resources.includes(one))]
]

/** Parses a device's request, or returns the reason it is rejected. */
export const deviceRequestOf = (client: Client, demand: DeviceParams): DeviceRequest | OAuthReason => {
  const wrong = checks.find(([, isWrong]) => isWrong(client, demand))
  if (wrong !== undefined) return wrong[0]
  return { scopes: requestedScopes(client, demand.scope), resources: [...new Set(demand.resources)] }
}

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

type Check = readonly [reason: OAuthReason, isWrong: (client: Client, params: DeviceParams) => boolean]

/** The checks, in order (RFC 8628 §3.1). Unknown parameters are ignored. */
const checks: ReadonlyArray<Check> = [
  ["grant_type_not_allowed", ({ grantTypes }) => !grantTypes.includes(DEVICE_CODE_GRANT)],
  ["scope_malformed", (_, { scope }) => scope !== undefined && parseScopes(scope) === undefined],
  ["scope_none", (client, params) => params.scope !== undefined && requestedScopes(client, params.scope).length === 0],
  ["resource_not_allowed", (client, { resources }) => !resources.every((one) => client.resources.includes(one))]
]

/** Parses a device's request, or returns the reason it is rejected. */
export const deviceRequestOf = (client: Client, params: DeviceParams): DeviceRequest | OAuthReason => {
  const failed = checks.find(([, isWrong]) => isWrong(client, params))
  if (failed !== undefined) return failed[0]
  return { scopes: requestedScopes(client, params.scope), resources: [...new Set(params.resources)] }
}

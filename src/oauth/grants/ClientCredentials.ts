import { Effect } from "effect"
import { machineTokenIssuer } from "#core/oauth/MachineTokens"
import type { GrantHandler } from "./GrantRequest.ts"

/** `grant_type=client_credentials` (RFC 6749 §4.4). */
export const clientCredentials = Effect.map(
  machineTokenIssuer,
  (issue): GrantHandler =>
    ({ client, params, jkt }) =>
      issue({ client, jkt, scope: params.get("scope"), resources: params.all("resource") })
)

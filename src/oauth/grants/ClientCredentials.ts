import { Effect } from "effect"
import { MachineTokens } from "#core/oauth/MachineTokens"
import type { GrantHandler } from "./GrantRequest.ts"

/** `grant_type=client_credentials` (RFC 6749 §4.4). */
export const clientCredentials = Effect.map(
  MachineTokens,
  (machines): GrantHandler =>
    ({ client, params, jkt }) =>
      machines.issue({ client, jkt, scope: params.get("scope"), resources: params.all("resource") })
)

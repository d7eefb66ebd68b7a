import { Effect } from "effect"
import { DeviceGrants } from "#core/oauth/DeviceGrants"
import { oauthRefused } from "#domain/oauth/OAuthProblem"
import type { GrantHandler } from "./GrantRequest.ts"

/** `grant_type=urn:ietf:params:oauth:grant-type:device_code` (RFC 8628 §3.4). */
export const deviceCode = Effect.map(
  DeviceGrants,
  (devices): GrantHandler =>
    ({ client, params, jkt }) => {
      const code = params.get("device_code")
      return code === undefined
        ? oauthRefused("device_code_missing")
        : devices.redeem({ client, deviceCode: code, jkt, resources: params.all("resource") })
    }
)

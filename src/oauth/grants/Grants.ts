import { Effect } from "effect"
import { DEVICE_CODE_GRANT, type GrantType } from "#domain/clients/OAuthClient"
import { authorizationCode } from "./AuthorizationCode.ts"
import { clientCredentials } from "./ClientCredentials.ts"
import { deviceCode } from "./DeviceCode.ts"
import type { GrantHandler } from "./GrantRequest.ts"
import { refresh } from "./Refresh.ts"

/** The handler of each grant type. */
export const grants = Effect.all({
  authorization_code: authorizationCode,
  refresh_token: refresh,
  client_credentials: clientCredentials,
  [DEVICE_CODE_GRANT]: deviceCode
}) satisfies Effect.Effect<Readonly<Record<GrantType, GrantHandler>>, never, unknown>

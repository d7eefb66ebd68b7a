import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { ClientAuthentication } from "#core/oauth/ClientAuthentication"
import { DeviceAuthorizations } from "#core/oauth/DeviceAuthorizations"
import type { OAuthHandler } from "../Endpoint.ts"
import { noStore } from "../Errors.ts"
import { formParams } from "../Params.ts"

/** The device authorization endpoint (RFC 8628 §3.1): lets a device wait for its user. */
export const deviceEndpoint = Effect.gen(function* () {
  const clients = yield* ClientAuthentication
  const devices = yield* DeviceAuthorizations

  const handler: OAuthHandler = Effect.fnUntraced(function* ({ http, client }) {
    const params = yield* formParams(http)
    const authorization = http.headers["authorization"]
    const authenticated = yield* clients.authenticate({ authorization, params, client })
    const demand = { scope: params.get("scope"), resources: params.all("resource") }
    const device = yield* devices.begin(authenticated, demand)
    return HttpServerResponse.jsonUnsafe(
      {
        device_code: device.deviceCode,
        user_code: device.userCode,
        verification_uri: device.verificationUri,
        verification_uri_complete: device.verificationUriComplete,
        expires_in: device.expiresIn,
        interval: device.interval
      },
      { headers: noStore }
    )
  })
  return handler
})

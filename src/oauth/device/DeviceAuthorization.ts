import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { DeviceAuthorizations } from "#core/oauth/DeviceAuthorizations"
import { isConfidential } from "#domain/clients/OAuthClient"
import { type ClientRequest, clientEndpoints } from "../ClientEndpoint.ts"
import { openRequestLimiter } from "../Endpoint.ts"
import { noStore } from "../Errors.ts"

/** The device authorization endpoint (RFC 8628 §3.1). It issues the codes that a device uses while it waits for its user. */
export const deviceEndpoint = Effect.gen(function* () {
  const clientEndpoint = yield* clientEndpoints
  const count = yield* openRequestLimiter
  const devices = yield* DeviceAuthorizations

  const begin = Effect.fnUntraced(function* (request: ClientRequest) {
    const { params, oauthClient } = request
    if (!isConfidential(oauthClient)) yield* count(request)
    const device = yield* devices.begin(oauthClient, { scope: params.get("scope"), resources: params.all("resource") })
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

  return clientEndpoint(begin)
})

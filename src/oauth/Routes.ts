import { Effect, Layer } from "effect"
import { authorizeEndpoint } from "./authorize/Authorize.ts"
import { parEndpoint } from "./authorize/Par.ts"
import { deviceEndpoint } from "./device/DeviceAuthorization.ts"
import { endpointRoutes } from "./Endpoint.ts"
import { introspectEndpoint } from "./Introspect.ts"
import { endSessionEndpoint } from "./logout/EndSession.ts"
import { revokeEndpoint } from "./Revoke.ts"
import { registerEndpoint } from "./registration/Register.ts"
import { registrationEndpoint } from "./registration/Registration.ts"
import { tokenEndpoint } from "./Token.ts"
import { userinfoEndpoint } from "./Userinfo.ts"

/** The routes of the OpenID providers, one provider for each realm. */
export const OAuthRoutes = Layer.effectDiscard(
  Effect.gen(function* () {
    const add = yield* endpointRoutes
    yield* add("authorize", yield* authorizeEndpoint)
    yield* add("par", yield* parEndpoint)
    yield* add("device", yield* deviceEndpoint)
    yield* add("token", yield* tokenEndpoint)
    yield* add("userinfo", yield* userinfoEndpoint)
    yield* add("introspect", yield* introspectEndpoint)
    yield* add("revoke", yield* revokeEndpoint)
    yield* add("endSession", yield* endSessionEndpoint)
    yield* add("register", yield* registerEndpoint)
    yield* add("registration", yield* registrationEndpoint)
  })
)

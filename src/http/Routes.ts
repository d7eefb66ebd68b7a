import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "#api/Api"
import { AccessLayer } from "./Access.ts"
import { ApiKeysHandlers } from "./access/Handlers.ts"
import { ConnectedAppsHandlers } from "./apps/Handlers.ts"
import { CredentialsHandlers } from "./credentials/Handlers.ts"
import { DocsRoutes } from "./docs/Docs.ts"
import { AnswerLayer } from "./ErrorResponses.ts"
import { EventsHandlers } from "./events/Handlers.ts"
import { ExternalAuthenticationHandlers as ExternalAuthenticationV1Handlers } from "./external/V1.ts"
import { ExternalAuthenticationHandlers } from "./external/V2.ts"
import { HooksHandlers } from "./hooks/Handlers.ts"
import { IdempotencyLayer } from "./Idempotency.ts"
import { InvitationsHandlers } from "./invitations/V2.ts"
import { JwtKeysHandlers } from "./keys/Handlers.ts"
import { PublicKeyRoutes } from "./keys/PublicKeys.ts"
import { LoginsHandlers as LoginsV1Handlers } from "./login/V1.ts"
import { LoginsHandlers as LoginsV2Handlers } from "./login/V2.ts"
import { MembershipsHandlers } from "./memberships/Handlers.ts"
import { HealthRoutes } from "./operations/Health.ts"
import { MetricsRoute, RequestMetrics } from "./operations/Metrics.ts"
import { Operators } from "./operations/Operators.ts"
import { OrgsHandlers } from "./orgs/Handlers.ts"
import { AuthProvidersHandlers } from "./providers/Handlers.ts"
import { EnvelopeLayer } from "./RequestMiddleware.ts"
import { RealmsHandlers } from "./realms/Handlers.ts"
import { SessionsHandlers as SessionsV1Handlers } from "./sessions/V1.ts"
import { SessionsHandlers } from "./sessions/V2.ts"
import { UserTokensHandlers } from "./signup/V1.ts"
import { UntrustedProxies } from "./UntrustedProxies.ts"
import { UsersHandlers as UsersV1Handlers } from "./users/V1.ts"
import { UsersHandlers } from "./users/V2.ts"

const ManagementRoutes = HttpApiBuilder.layer(Api).pipe(
  Layer.provide([
    RealmsHandlers,
    UsersHandlers,
    UsersV1Handlers,
    LoginsV1Handlers,
    UserTokensHandlers,
    LoginsV2Handlers,
    OrgsHandlers,
    MembershipsHandlers,
    InvitationsHandlers,
    SessionsHandlers,
    SessionsV1Handlers,
    CredentialsHandlers,
    AuthProvidersHandlers,
    ExternalAuthenticationHandlers,
    ExternalAuthenticationV1Handlers,
    JwtKeysHandlers,
    HooksHandlers,
    ConnectedAppsHandlers,
    ApiKeysHandlers,
    EventsHandlers
  ]),
  Layer.provide([AccessLayer, AnswerLayer, IdempotencyLayer])
)

/** Every route of the service, inside the envelope that all answers share. */
export const Routes = Layer.mergeAll(ManagementRoutes, PublicKeyRoutes, HealthRoutes, MetricsRoute, DocsRoutes).pipe(
  Layer.provideMerge(EnvelopeLayer),
  Layer.provide([Operators.layer, RequestMetrics.layer, UntrustedProxies.layer])
)

/** The routes of a port that only operators reach (SEC-99). */
export const OperatorRoutes = Layer.mergeAll(HealthRoutes, MetricsRoute).pipe(
  Layer.provideMerge(EnvelopeLayer),
  Layer.provide([Operators.layerAnyone, RequestMetrics.layer, UntrustedProxies.layer])
)

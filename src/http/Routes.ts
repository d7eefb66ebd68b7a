import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "#api/Api"
import { AccessLayer } from "./Access.ts"
import { AnswerLayer } from "./Answers.ts"
import { ApiKeysHandlers } from "./ApiKeys.ts"
import { HooksHandlers } from "./AppHooks.ts"
import { AuthProvidersHandlers } from "./AuthProviders.ts"
import { ConnectedAppsHandlers } from "./ConnectedApps.ts"
import { CredentialsHandlers } from "./Credentials.ts"
import { DocsRoutes } from "./Docs.ts"
import { EnvelopeLayer } from "./Envelope.ts"
import { EventsHandlers } from "./Events.ts"
import { HealthRoutes } from "./Health.ts"
import { IdempotencyLayer } from "./Idempotency.ts"
import { JwtKeysHandlers } from "./JwtKeys.ts"
import { MembershipsHandlers } from "./Memberships.ts"
import { MetricsRoute, RequestMetrics } from "./Metrics.ts"
import { Operators } from "./Operators.ts"
import { OrgsHandlers } from "./Orgs.ts"
import { PublicKeyRoutes } from "./PublicKeys.ts"
import { RealmsHandlers } from "./Realms.ts"
import { UntrustedProxies } from "./UntrustedProxies.ts"
import { ExternalAuthenticationHandlers as ExternalAuthenticationV1Handlers } from "./v1/ExternalAuthentication.ts"
import { LoginsHandlers as LoginsV1Handlers } from "./v1/Logins.ts"
import { SessionsHandlers as SessionsV1Handlers } from "./v1/Sessions.ts"
import { UsersHandlers as UsersV1Handlers } from "./v1/Users.ts"
import { UserTokensHandlers } from "./v1/UserTokens.ts"
import { ExternalAuthenticationHandlers } from "./v2/ExternalAuthentication.ts"
import { InvitationsHandlers } from "./v2/Invitations.ts"
import { LoginsHandlers as LoginsV2Handlers } from "./v2/Logins.ts"
import { SessionsHandlers } from "./v2/Sessions.ts"
import { UsersHandlers } from "./v2/Users.ts"

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

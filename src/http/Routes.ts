import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "#api/Api"
import { AccessLayer } from "./Access.ts"
import { AllProblemsLayer } from "./AllProblems.ts"
import { ApiKeysHandlersV1, ApiKeysHandlersV2 } from "./access/Handlers.ts"
import { ConnectedAppsHandlersV1, ConnectedAppsHandlersV2 } from "./apps/Handlers.ts"
import { ConsentsHandlersV1, ConsentsHandlersV2 } from "./consents/Handlers.ts"
import { CredentialsHandlersV1, CredentialsHandlersV2 } from "./credentials/Handlers.ts"
import { DomainsHandlersV2 } from "./domains/V2.ts"
import { ErrorResponsesLayer } from "./ErrorResponses.ts"
import { EventsHandlersV1 } from "./events/V1.ts"
import { EventsHandlersV2 } from "./events/V2.ts"
import { ExportsHandlersV2 } from "./exports/V2.ts"
import { ExternalAuthenticationHandlersV1 } from "./external/V1.ts"
import { ExternalAuthenticationHandlersV2 } from "./external/V2.ts"
import { GrantsHandlersV1, GrantsHandlersV2 } from "./grants/Handlers.ts"
import { HooksHandlersV1, HooksHandlersV2 } from "./hooks/Handlers.ts"
import { IdempotencyLayer } from "./Idempotency.ts"
import { ImportsHandlersV2 } from "./imports/V2.ts"
import { InvitationsHandlersV2 } from "./invitations/V2.ts"
import { JwtKeysHandlersV1, JwtKeysHandlersV2 } from "./keys/Handlers.ts"
import { PublicKeyRoutes } from "./keys/PublicKeys.ts"
import { LoginsHandlersV1 } from "./login/V1.ts"
import { LoginsHandlersV2 } from "./login/V2.ts"
import { MembershipsHandlersV1, MembershipsHandlersV2 } from "./memberships/Handlers.ts"
import { NotificationsHandlersV2 } from "./notifications/V2.ts"
import { HealthRoutes } from "./operations/Health.ts"
import { MetricsRoute, RequestMetrics } from "./operations/Metrics.ts"
import { Operators } from "./operations/Operators.ts"
import { ConsoleHandlersV2, OperatorsHandlersV2 } from "./operators/V2.ts"
import { OrgsHandlersV1 } from "./orgs/V1.ts"
import { OrgsHandlersV2 } from "./orgs/V2.ts"
import { AuthProvidersHandlersV1 } from "./providers/V1.ts"
import { AuthProvidersHandlersV2 } from "./providers/V2.ts"
import { RequestMiddlewareLayer } from "./RequestMiddleware.ts"
import { RealmsHandlersV1 } from "./realms/V1.ts"
import { RealmsHandlersV2 } from "./realms/V2.ts"
import { StreamedCalls } from "./StreamedCalls.ts"
import { SessionsHandlersV1 } from "./sessions/V1.ts"
import { SessionsHandlersV2 } from "./sessions/V2.ts"
import { UserTokensHandlersV1 } from "./signup/V1.ts"
import { UntrustedProxies } from "./UntrustedProxies.ts"
import { UsersHandlersV1 } from "./users/V1.ts"
import { UsersHandlersV2 } from "./users/V2.ts"

const HandlersV1 = Layer.mergeAll(
  RealmsHandlersV1,
  UsersHandlersV1,
  LoginsHandlersV1,
  UserTokensHandlersV1,
  OrgsHandlersV1,
  MembershipsHandlersV1,
  ConsentsHandlersV1,
  GrantsHandlersV1,
  SessionsHandlersV1,
  CredentialsHandlersV1,
  AuthProvidersHandlersV1,
  ExternalAuthenticationHandlersV1,
  JwtKeysHandlersV1,
  HooksHandlersV1,
  ConnectedAppsHandlersV1,
  ApiKeysHandlersV1,
  EventsHandlersV1
)

const StreamedHandlers = Layer.mergeAll(ImportsHandlersV2, ExportsHandlersV2).pipe(Layer.provide(StreamedCalls.layer))

const HandlersV2 = Layer.mergeAll(
  RealmsHandlersV2,
  UsersHandlersV2,
  LoginsHandlersV2,
  OrgsHandlersV2,
  MembershipsHandlersV2,
  ConsentsHandlersV2,
  GrantsHandlersV2,
  DomainsHandlersV2,
  InvitationsHandlersV2,
  SessionsHandlersV2,
  CredentialsHandlersV2,
  AuthProvidersHandlersV2,
  ExternalAuthenticationHandlersV2,
  JwtKeysHandlersV2,
  HooksHandlersV2,
  ConnectedAppsHandlersV2,
  ApiKeysHandlersV2,
  OperatorsHandlersV2,
  ConsoleHandlersV2,
  EventsHandlersV2,
  NotificationsHandlersV2,
  StreamedHandlers
)

const ManagementRoutes = HttpApiBuilder.layer(Api).pipe(
  Layer.provide([HandlersV1, HandlersV2]),
  Layer.provide([AccessLayer, AllProblemsLayer, ErrorResponsesLayer, IdempotencyLayer])
)

/** All routes of the service, wrapped in the middleware that every request passes through. */
export const Routes = Layer.mergeAll(ManagementRoutes, PublicKeyRoutes, HealthRoutes, MetricsRoute).pipe(
  Layer.provideMerge(RequestMiddlewareLayer),
  Layer.provide([Operators.layer, RequestMetrics.layer, UntrustedProxies.layer])
)

/** The routes on the operators' port (SEC-99). */
export const OperatorRoutes = Layer.mergeAll(HealthRoutes, MetricsRoute).pipe(
  Layer.provideMerge(RequestMiddlewareLayer),
  Layer.provide([Operators.layerAnyone, RequestMetrics.layer, UntrustedProxies.layer])
)

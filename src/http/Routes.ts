import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "#api/Api"
import type { ActorState } from "#core/ActorStates"
import { Health } from "#core/Health"
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
import { IdempotencyLayer } from "./Idempotency.ts"
import { JwtKeysHandlers } from "./JwtKeys.ts"
import { MembershipsHandlers } from "./Memberships.ts"
import { MetricsRoute, RequestMetrics } from "./Metrics.ts"
import { OrgsHandlers } from "./Orgs.ts"
import { PublicKeyRoutes } from "./PublicKeys.ts"
import { RealmsHandlers } from "./Realms.ts"
import { ExternalAuthenticationHandlers as ExternalAuthenticationV1Handlers } from "./v1/ExternalAuthentication.ts"
import { LoginsHandlers as LoginsV1Handlers } from "./v1/Logins.ts"
import { SessionsHandlers as SessionsV1Handlers } from "./v1/Sessions.ts"
import { UsersHandlers as UsersV1Handlers } from "./v1/Users.ts"
import { UserTokensHandlers } from "./v1/UserTokens.ts"
import { ExternalAuthenticationHandlers } from "./v2/ExternalAuthentication.ts"
import { LoginsHandlers as LoginsV2Handlers } from "./v2/Logins.ts"
import { InvitationsHandlers } from "./v2/Invitations.ts"
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

const actorBodies = (actors: Readonly<Record<string, ActorState>>) =>
  Object.fromEntries(
    Object.entries(actors).map(([name, { ok, restarts, lagSeconds }]) => [
      name,
      { ok, restarts, lag_seconds: lagSeconds }
    ])
  )

/** For whoever runs the service: is it alive, should it get requests. */
const HealthRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const health = yield* Health
    yield* router.add("GET", "/healthz", Effect.succeed(HttpServerResponse.jsonUnsafe({ status: "ok" })))
    yield* router.add(
      "GET",
      "/readyz",
      Effect.map(health.readiness, ({ ready, actors, ...detail }) =>
        HttpServerResponse.jsonUnsafe(
          { status: ready ? "ready" : "not ready", ...detail, actors: actorBodies(actors) },
          { status: ready ? 200 : 503, headers: ready ? {} : { "retry-after": "1" } }
        )
      )
    )
  })
)

/** Every route of the service, inside the envelope that all answers share. */
export const Routes = Layer.mergeAll(ManagementRoutes, PublicKeyRoutes, HealthRoutes, MetricsRoute, DocsRoutes).pipe(
  Layer.provideMerge(EnvelopeLayer),
  Layer.provide(RequestMetrics.layer)
)

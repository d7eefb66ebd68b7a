import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "#api/Api"
import type { ActorState } from "#core/ActorStates"
import { Health } from "#core/Health"
import { KeyRing } from "#core/keys/KeyRing"
import { Realms } from "#core/realms/Realms"
import { Issuer } from "#core/sessions/Issuer"
import { AccessLayer } from "./Access.ts"
import { AnswerLayer } from "./Answers.ts"
import { ApiKeysHandlers } from "./ApiKeys.ts"
import { HooksHandlers } from "./AppHooks.ts"
import { AuthProvidersHandlers } from "./AuthProviders.ts"
import { CredentialsHandlers } from "./Credentials.ts"
import { DocsRoutes } from "./Docs.ts"
import { EnvelopeLayer } from "./Envelope.ts"
import { answerWireError, words } from "./Errors.ts"
import { EventsHandlers } from "./Events.ts"
import { CurrentExchange } from "./Exchange.ts"
import { IdempotencyLayer } from "./Idempotency.ts"
import { JwtKeysHandlers } from "./JwtKeys.ts"
import { MembershipsHandlers } from "./Memberships.ts"
import { MetricsRoute, RequestMetrics } from "./Metrics.ts"
import { OrgsHandlers } from "./Orgs.ts"
import { RealmsHandlers } from "./Realms.ts"
import { LoginsHandlers as LoginsV1Handlers } from "./v1/Logins.ts"
import { SessionsHandlers as SessionsV1Handlers } from "./v1/Sessions.ts"
import { UsersHandlers as UsersV1Handlers } from "./v1/Users.ts"
import { UserTokensHandlers } from "./v1/UserTokens.ts"
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
    JwtKeysHandlers,
    HooksHandlers,
    ApiKeysHandlers,
    EventsHandlers
  ]),
  Layer.provide([AccessLayer, AnswerLayer, IdempotencyLayer])
)

/** A realm's public keys and OIDC discovery: for everyone who verifies tokens (decision 30). */
const KeyRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const realms = yield* Realms
    const keys = yield* KeyRing
    const issuer = yield* Issuer

    const ofRealm = <E>(answer: (realmId: string) => Effect.Effect<HttpServerResponse.HttpServerResponse, E>) =>
      Effect.gen(function* () {
        const { realm_id: realmId = "" } = yield* HttpRouter.params
        return yield* answer(realmId)
      }).pipe(
        Effect.catch(() => Effect.map(CurrentExchange, (exchange) => answerWireError(words.RealmNotFound(), exchange)))
      )
    const headers = { "cache-control": "public, max-age=60", "access-control-allow-origin": "*" }

    yield* router.add(
      "GET",
      "/realms/:realm_id/jwks",
      ofRealm((id) =>
        Effect.gen(function* () {
          const jwks = yield* keys.jwks(yield* realms.find(id))
          return HttpServerResponse.jsonUnsafe({ keys: jwks }, { headers })
        })
      )
    )
    yield* router.add(
      "GET",
      "/realms/:realm_id/.well-known/openid-configuration",
      ofRealm((id) =>
        Effect.gen(function* () {
          const realm = yield* realms.find(id)
          const { algo } = yield* keys.current(realm.id)
          return HttpServerResponse.jsonUnsafe(
            {
              issuer: issuer.of(realm.id),
              jwks_uri: issuer.jwksUri(realm.id),
              response_types_supported: ["id_token"],
              subject_types_supported: ["public"],
              id_token_signing_alg_values_supported: [algo.toUpperCase()]
            },
            { headers }
          )
        })
      )
    )
  })
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
export const Routes = Layer.mergeAll(ManagementRoutes, KeyRoutes, HealthRoutes, MetricsRoute, DocsRoutes).pipe(
  Layer.provideMerge(EnvelopeLayer),
  Layer.provide(RequestMetrics.layer)
)

import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { AllWorkers } from "#core/nodes/AllWorkers"
import { Health } from "#core/nodes/Health"
import type { ActorState } from "#platform/ActorStates"
import { ClientAddress } from "#platform/ClientAddress"
import { RELEASE } from "../docs/Release.ts"
import { Operators } from "./Operators.ts"
import { describeRequest } from "./SeenRequest.ts"

const actorBodies = (actors: Readonly<Record<string, ActorState>>) =>
  Object.fromEntries(
    Object.entries(actors).map(([name, { ok, restarts, lagSeconds }]) => [
      name,
      { ok, restarts, lag_seconds: lagSeconds }
    ])
  )

/** `/healthz` (liveness) and `/readyz` (readiness). Both are public, but only operators see the details. */
export const HealthRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const health = yield* Health
    const workers = yield* AllWorkers
    const addresses = yield* ClientAddress
    const { admit } = yield* Operators
    // A probe with a wrong API key still gets a response, but without the details.
    const isOperator = Effect.as(admit, true).pipe(Effect.catchCause(() => Effect.succeed(false)))
    yield* router.add("GET", "/healthz", Effect.succeed(HttpServerResponse.jsonUnsafe({ status: "ok" })))
    yield* router.add(
      "GET",
      "/readyz",
      Effect.gen(function* () {
        const { ready, actors, missingKeys, clockSkewSeconds, ...detail } = yield* workers.readiness(health.readiness)
        const missing = missingKeys.length === 0 ? {} : { missing_keys: missingKeys }
        const skew = detail.clock === "ok" ? {} : { clock_skew_seconds: Math.round(clockSkewSeconds) }
        const operator = {
          version: RELEASE,
          ...detail,
          ...skew,
          ...missing,
          encryption_keys: health.encryptionKeys(),
          deliveries: health.delivers ? "on" : "off",
          request: describeRequest(yield* HttpServerRequest.HttpServerRequest, addresses),
          actors: actorBodies(actors)
        }
        const details = (yield* isOperator) ? operator : {}
        return HttpServerResponse.jsonUnsafe(
          { status: ready ? "ready" : "not ready", ...details },
          { status: ready ? 200 : 503, headers: ready ? {} : { "retry-after": "1" } }
        )
      })
    )
  })
)

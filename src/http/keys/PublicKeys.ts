import { Effect } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { ConnectedApps } from "#core/apps/ConnectedApps"
import { KeyRing } from "#core/keys/KeyRing"
import { providerDiscovery } from "#core/keys/ProviderDiscovery"
import { Realms } from "#core/realms/Realms"
import { JWKS_MAX_AGE } from "#domain/JwtKey"
import { preflightHeaders } from "#domain/Preflight"
import type { Realm } from "#domain/Realm"
import { problem } from "#domain/Rejected"
import { LoginDomains } from "#platform/LoginDomains"
import { CurrentRequestContext } from "#platform/RequestContext"
import { errorResponse, wireErrorResponse, wireErrors } from "../Errors.ts"

type Request = HttpServerRequest.HttpServerRequest

const headers = { "cache-control": `public, max-age=${JWKS_MAX_AGE}`, "access-control-allow-origin": "*" }

/**
 * The paths of a realm's discovery document: below its issuer (OpenID Connect Discovery §4), and at the root of the issuer's
 * host (RFC 8414 §3), where OAuth clients look.
 */
const discoveryPaths = [
  "/realms/:realm_id/.well-known/openid-configuration",
  "/.well-known/oauth-authorization-server/realms/:realm_id",
  "/.well-known/openid-configuration/realms/:realm_id"
] as const

/** All addresses of public keys and discovery documents. Pages of any origin can read them, with any request headers. */
export const publicKeyPaths = [
  ...discoveryPaths,
  "/realms/:realm_id/jwks",
  "/connect/jwks",
  "/.well-known/openid-configuration"
] as const

const preflight = HttpServerResponse.empty({ status: 204, headers: preflightHeaders("GET") })

/**
 * The public keys and the OIDC discovery document of a realm. Both are public, and available by the realm's ID and on the
 * hosts of its apps (C30).
 */
export const PublicKeyRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const realms = yield* Realms
    const apps = yield* ConnectedApps
    const domains = yield* LoginDomains
    const keys = yield* KeyRing
    const documentOf = yield* providerDiscovery

    const jwksResponse = (realm: Realm) =>
      Effect.map(keys.jwks(realm), (jwks) => HttpServerResponse.jsonUnsafe({ keys: jwks }, { headers }))

    const discoveryResponse = (realm: Realm, jwksUri?: string) =>
      Effect.map(documentOf(realm, jwksUri), (document) => HttpServerResponse.jsonUnsafe(document, { headers }))

    for (const path of publicKeyPaths) yield* router.add("OPTIONS", path, Effect.succeed(preflight))

    const noRealm = Effect.map(CurrentRequestContext, (context) =>
      wireErrorResponse(wireErrors.RealmNotFound(), context)
    )
    const noAddress = Effect.map(CurrentRequestContext, (context) =>
      errorResponse(404, [problem(null, "no_such_address")], context)
    )

    const realmInPath = Effect.flatMap(HttpRouter.params, ({ realm_id: id = "" }) => realms.find(id))
    yield* router.add(
      "GET",
      "/realms/:realm_id/jwks",
      Effect.flatMap(realmInPath, jwksResponse).pipe(Effect.catch(() => noRealm))
    )
    for (const path of discoveryPaths) {
      yield* router.add(
        "GET",
        path,
        realmInPath.pipe(
          Effect.flatMap((realm) => discoveryResponse(realm)),
          Effect.catch(() => noRealm)
        )
      )
    }

    /** Returns the app on whose host a request arrived, and its realm. */
    const appOf = Effect.fnUntraced(function* (request: Request) {
      const app = yield* apps.atHost(request.headers["host"] ?? "")
      return { app, realm: yield* realms.find(app.realmId) }
    })
    yield* router.add("GET", "/connect/jwks", (request) =>
      appOf(request).pipe(
        Effect.flatMap(({ realm }) => jwksResponse(realm)),
        Effect.catch(() => noAddress)
      )
    )
    yield* router.add("GET", "/.well-known/openid-configuration", (request) =>
      appOf(request).pipe(
        Effect.flatMap(({ app, realm }) => discoveryResponse(realm, `${domains.origin(app.subdomain)}/connect/jwks`)),
        Effect.catch(() => noAddress)
      )
    )
  })
)

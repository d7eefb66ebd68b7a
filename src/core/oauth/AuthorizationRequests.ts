import { Context, DateTime, Effect, Layer } from "effect"
import type { ConnectedApp } from "#domain/ConnectedApp"
import { isAdminApproved } from "#domain/clients/ClientRegistration"
import { clientIdOf, clientReturnUrl, type OAuthClient } from "#domain/clients/OAuthClient"
import { paramReader, type SentParams } from "#domain/oauth/AuthorizationParams"
import {
  AuthorizationRefused,
  type AuthorizationRequest,
  checkAuthorization,
  isLongHint
} from "#domain/oauth/AuthorizationRequest"
import type { ResponseTarget } from "#domain/oauth/AuthorizationResponse"
import type { OAuthReason } from "#domain/oauth/OAuthProblem"
import { CurrentRealm } from "#domain/Realm"
import { Entropy } from "#platform/Entropy"
import { LoginDomains } from "#platform/LoginDomains"
import { randomSecret, sha256Text } from "#platform/Tokens"
import { OAuthRequestsRepo, type StoredAuthorizationRequest } from "#store/oauth/OAuthRequestsRepo"
import { Issuer } from "../keys/Issuer.ts"
import { ActiveClients } from "./ActiveClients.ts"
import { IdTokenHints } from "./IdTokenHints.ts"
import { LoginApps } from "./LoginApps.ts"

/** How long a browser may take to complete a request: normally, and if an email was sent for the login (C276). */
const REQUEST_MINUTES = 60
const MAILED_HOURS = 24

/** How long a pushed request waits for a browser to present it. */
const PUSHED_SECONDS = 60

const SECRET = /^oar_[\dA-Za-z]{43}$/

/** The prefix of a pushed request's secret (RFC 9126 §2.2). */
const REQUEST_URI = "urn:ietf:params:oauth:request_uri:"

/** A request that is being completed in a browser. */
export interface OpenAuthorization {
  /** The digest of the request's secret. */
  readonly id: string
  readonly request: AuthorizationRequest
  readonly createdAt: DateTime.Utc
}

/** A request pushed by a client. The browser presents it with `requestUri`, which is valid for `expiresIn` seconds. */
export interface PushedAuthorization {
  readonly requestUri: string
  readonly expiresIn: number
}

/**
 * Stores authorization requests (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2). A request is checked each time it is used,
 * because its client may have changed.
 */
export class AuthorizationRequests extends Context.Service<
  AuthorizationRequests,
  {
    /** Stores the request that a browser presents. Returns the URL on the login app's host where the browser continues. */
    begin(sent: SentParams): Effect.Effect<string, AuthorizationRefused, CurrentRealm>
    /** Stores the request that an authenticated client pushes (RFC 9126). */
    push(client: OAuthClient, sent: SentParams): Effect.Effect<PushedAuthorization, AuthorizationRefused, CurrentRealm>
    /** Extends a request's lifetime, so that the user has time to read an email. */
    awaitMail(request: OpenAuthorization): Effect.Effect<void>
    /** Finds the request with this secret. It is found only on the host of the app where its users log in. */
    find(app: ConnectedApp, secret: string): Effect.Effect<OpenAuthorization, AuthorizationRefused, CurrentRealm>
  }
>()("sallyport/core/AuthorizationRequests") {
  static readonly layer = Layer.effect(
    AuthorizationRequests,
    Effect.gen(function* () {
      const entropy = yield* Entropy
      const domains = yield* LoginDomains
      const clients = yield* ActiveClients
      const apps = yield* LoginApps
      const hints = yield* IdTokenHints
      const issuer = yield* Issuer
      const repo = yield* OAuthRequestsRepo

      const refused = (reason: OAuthReason, target: ResponseTarget | null = null) =>
        Effect.fail(new AuthorizationRefused({ reason, target }))

      /** Makes the error for a request that has expired or is unknown. It includes a way back to the client. */
      const ended = (reason: "request_expired" | "request_uri_unknown", client: OAuthClient) => {
        const wayBack = { client, url: clientReturnUrl(client, issuer.of(client.realmId)) }
        return Effect.fail(new AuthorizationRefused({ reason, target: null, wayBack }))
      }

      const clientOf = (id: string) =>
        Effect.catchTag(clients.find(id), "OAuthClientNotFound", () => refused("client_not_found"))

      const checked = Effect.fnUntraced(function* (client: OAuthClient, sent: SentParams, isPushed: boolean) {
        const { state, mfa } = yield* CurrentRealm
        const found = checkAuthorization(client, sent, isPushed)
        // The URL of an unvetted client may be a trap, so errors don't redirect there before the user has decided (SEC-191).
        const rejected = (reason: OAuthReason, target: ResponseTarget | null) =>
          refused(reason, isAdminApproved(client.registration) ? target : null)
        if (found instanceof AuthorizationRefused) return yield* rejected(found.reason, found.target)
        if (state === "inactive") return yield* rejected("realm_inactive", found)
        const isForeign = isLongHint(found) && (yield* hints.read(found.idTokenHint ?? "")) === undefined
        if (isForeign) return yield* rejected("unreadable_parameter", found)
        const isUnreachable = found.acr?.isEssential === true && found.acr.level === "aal2" && mfa === "off"
        return isUnreachable ? yield* rejected("acr_unknown", found) : found
      })

      const store = Effect.fnUntraced(function* (
        { realmId, id: clientId }: OAuthClient,
        sent: SentParams,
        { seconds, ...kind }: Pick<StoredAuthorizationRequest, "isPushed" | "pushedId"> & { readonly seconds: number }
      ) {
        const secret = `oar_${randomSecret(entropy)}`
        const createdAt = yield* DateTime.now
        const expiresAt = DateTime.add(createdAt, { seconds })
        yield* repo.insert({ id: sha256Text(secret), realmId, clientId, ...kind, sent, createdAt, expiresAt })
        return secret
      })

      /**
       * Returns the parameters of a request. If it has a `request_uri`, these are the parameters that its client has pushed
       * (RFC 9126 §4).
       */
      const sentOf = Effect.fnUntraced(function* (client: OAuthClient, sent: SentParams) {
        const uri = paramReader(sent).get("request_uri")
        if (uri?.startsWith(REQUEST_URI) !== true) return { sent, pushedId: null }
        const pushedId = sha256Text(uri.slice(REQUEST_URI.length))
        const now = yield* DateTime.now
        const until = DateTime.add(now, { minutes: REQUEST_MINUTES })
        const pushed = yield* repo.openPushed(
          { realmId: client.realmId, clientId: client.id, id: pushedId },
          now,
          until
        )
        return pushed === undefined ? yield* ended("request_uri_unknown", client) : { sent: pushed.sent, pushedId }
      })

      const begin = Effect.fn("AuthorizationRequests.begin")(function* (presented: SentParams) {
        const { get, isRepeated } = paramReader(presented)
        const clientId = get("client_id")
        if (isRepeated("client_id")) return yield* refused("repeated_parameter")
        if (clientId === undefined) return yield* refused("client_missing")
        const client = yield* clientOf(clientId)
        // A client with a metadata document must be identified by the document's URL, so that the document is refreshed.
        if (clientIdOf(client) !== clientId) return yield* refused("client_unknown")
        const { sent, pushedId } = yield* sentOf(client, presented)
        const request = yield* checked(client, sent, pushedId !== null)
        const app = yield* apps.find(client)
        if (app === undefined) return yield* refused("no_login_app")
        const secret = yield* store(request.client, sent, { isPushed: false, pushedId, seconds: REQUEST_MINUTES * 60 })
        const query = { request: secret, ...(request.uiLocales === null ? {} : { ui_locales: request.uiLocales }) }
        return `${domains.origin(app.subdomain)}/authorize?${new URLSearchParams(query)}`
      })

      const push = Effect.fn("AuthorizationRequests.push")(function* (client: OAuthClient, sent: SentParams) {
        yield* checked(client, sent, true)
        const secret = yield* store(client, sent, { isPushed: true, pushedId: null, seconds: PUSHED_SECONDS })
        return { requestUri: REQUEST_URI + secret, expiresIn: PUSHED_SECONDS }
      })

      const find = Effect.fn("AuthorizationRequests.find")(function* (app: ConnectedApp, secret: string) {
        const id = sha256Text(secret)
        const stored = SECRET.test(secret) ? yield* repo.find(app.realmId, id, yield* DateTime.now) : undefined
        if (stored === undefined) return yield* refused("request_expired")
        const client = yield* clientOf(stored.clientId)
        if ((yield* apps.find(client))?.id !== app.id) return yield* refused("no_login_app")
        if (stored.isOver) return yield* ended("request_expired", client)
        return { id, request: yield* checked(client, stored.sent, true), createdAt: stored.createdAt }
      })

      const awaitMail = Effect.fn("AuthorizationRequests.awaitMail")(function* ({ id, request }: OpenAuthorization) {
        const now = yield* DateTime.now
        yield* repo.extend(request.client.realmId, id, now, DateTime.add(now, { hours: MAILED_HOURS }))
      })

      return AuthorizationRequests.of({ begin, push, find, awaitMail })
    })
  )
}

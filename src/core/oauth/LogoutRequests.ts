import { Context, DateTime, Effect, Layer } from "effect"
import type { ConnectedApp } from "#domain/ConnectedApp"
import { clientIdOf, type OAuthClient } from "#domain/clients/OAuthClient"
import { isLogoutState, type LogoutRequest } from "#domain/oauth/LogoutRequest"
import { type OAuthRefused, oauthRefused } from "#domain/oauth/OAuthProblem"
import { CurrentRealm } from "#domain/Realm"
import { Entropy } from "#platform/Entropy"
import { LoginDomains } from "#platform/LoginDomains"
import { randomSecret, sha256Text } from "#platform/Tokens"
import { OAuthLogoutRequestsRepo } from "#store/oauth/OAuthLogoutRequestsRepo"
import { ActiveClients } from "./ActiveClients.ts"
import { IdTokenHints } from "./IdTokenHints.ts"
import { LoginApps } from "./LoginApps.ts"

/** How long a browser and its user may take to complete a logout. */
const REQUEST_MINUTES = 10

const SECRET = /^olr_[\dA-Za-z]{43}$/

/** The parameters of a logout request. `get` returns the value of a parameter. */
export interface SentLogout {
  readonly get: (
    name: "id_token_hint" | "client_id" | "post_logout_redirect_uri" | "state" | "ui_locales"
  ) => string | undefined
}

/** A logout to complete in a browser, and the client that requested it. */
export interface OpenLogout {
  readonly request: LogoutRequest
  /** The client, or null if the request names none or the client is no longer active. */
  readonly client: OAuthClient | null
}

/** Handles logouts requested by clients (OpenID Connect RP-Initiated Logout). */
export class LogoutRequests extends Context.Service<
  LogoutRequests,
  {
    /** Stores the request that a browser presents. Returns the URL on the login app's host where the browser continues. */
    begin(sent: SentLogout): Effect.Effect<string, OAuthRefused, CurrentRealm>
    /**
     * Finds the request with this secret, on the host of the app. Returns undefined if it has expired, was completed, or never
     * existed.
     */
    find(app: ConnectedApp, secret: string): Effect.Effect<OpenLogout | undefined, never, CurrentRealm>
    /** Ends a request. */
    complete(request: LogoutRequest): Effect.Effect<void>
  }
>()("sallyport/core/LogoutRequests") {
  static readonly layer = Layer.effect(
    LogoutRequests,
    Effect.gen(function* () {
      const apps = yield* LoginApps
      const clients = yield* ActiveClients
      const domains = yield* LoginDomains
      const entropy = yield* Entropy
      const hints = yield* IdTokenHints
      const repo = yield* OAuthLogoutRequestsRepo

      const findClient = (id: string) =>
        Effect.catchTag(clients.find(id), "OAuthClientNotFound", () => Effect.succeed(undefined))

      /**
       * Returns the client that requests the logout, and the session in the ID token. An invalid ID token is ignored, so that
       * the user is asked to confirm instead of seeing an error page (C275).
       */
      const requesterOf = Effect.fnUntraced(function* ({ get }: SentLogout) {
        const [token, named] = [get("id_token_hint"), get("client_id")]
        const hint = token === undefined ? undefined : yield* hints.read(token)
        const id = named ?? hint?.clientIds[0]
        const client = id === undefined ? undefined : yield* findClient(id)
        if (named !== undefined && client === undefined) return yield* oauthRefused("client_not_found")
        const isOfClient = client !== undefined && hint?.clientIds.includes(clientIdOf(client)) === true
        return { client, hint: isOfClient ? hint : undefined }
      })

      /** Returns the redirect URI of the request, if the client has registered exactly this URI. */
      const redirectUriOf = Effect.fnUntraced(function* ({ get }: SentLogout, client: OAuthClient | undefined) {
        const [uri, state] = [get("post_logout_redirect_uri"), get("state")]
        if (uri === undefined) return null
        // The client is unknown, so the URI can't be checked, but the user still wants to log out.
        if (client === undefined && get("id_token_hint") !== undefined) return null
        if (client === undefined) return yield* oauthRefused("client_missing")
        if (!client.postLogoutRedirectUris.includes(uri)) return yield* oauthRefused("logout_uri_unregistered")
        return state === undefined || isLogoutState(state) ? uri : yield* oauthRefused("unreadable_parameter")
      })

      const begin = Effect.fn("LogoutRequests.begin")(function* (sent: SentLogout) {
        const { id: realmId } = yield* CurrentRealm
        const { client, hint } = yield* requesterOf(sent)
        const redirectUri = yield* redirectUriOf(sent, client)
        const app = yield* apps.find(client ?? { realmId, loginAppId: null })
        if (app === undefined) return yield* oauthRefused("no_login_app")
        const secret = `olr_${randomSecret(entropy)}`
        yield* repo.insert({
          id: sha256Text(secret),
          realmId,
          loginAppId: app.id,
          clientId: client?.id ?? null,
          userId: hint?.userId ?? null,
          sid: hint?.sid ?? null,
          redirectUri,
          state: redirectUri === null ? null : (sent.get("state") ?? null),
          expiresAt: DateTime.add(yield* DateTime.now, { minutes: REQUEST_MINUTES })
        })
        const locales = sent.get("ui_locales")
        const query = new URLSearchParams({ logout: secret, ...(locales === undefined ? {} : { ui_locales: locales }) })
        return `${domains.origin(app.subdomain)}/logout?${query}`
      })

      const find = Effect.fn("LogoutRequests.find")(function* (app: ConnectedApp, secret: string) {
        if (!SECRET.test(secret)) return undefined
        const request = yield* repo.find(app.realmId, app.id, sha256Text(secret), yield* DateTime.now)
        if (request === undefined) return undefined
        const found = request.clientId === null ? Effect.succeed(null) : clients.find(request.clientId)
        const client = yield* Effect.catchTag(found, "OAuthClientNotFound", () => Effect.succeed(null))
        // The client may have removed the redirect URI in the meantime.
        const { redirectUri } = request
        const isRegistered = redirectUri !== null && client?.postLogoutRedirectUris.includes(redirectUri) === true
        return { request: isRegistered ? request : { ...request, redirectUri: null }, client }
      })

      return LogoutRequests.of({ begin, find, complete: ({ realmId, id }) => repo.delete(realmId, id) })
    })
  )
}

// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form, Listed } from "../../Form.ts"
import type { AuthorizationUrl } from "../types/AuthorizationUrl.ts"
import type { RequestInput } from "../types/RequestInput.ts"
import type { Session } from "../types/Session.ts"
import type { Token } from "../types/Token.ts"

/** The parameters of `GET /v2/auth_providers/authorize`. */
export interface ListAuthorizationUrls {
  /**
   * The URL that the provider redirects users to with a code: an http or https URL of your app, up to 2,048 characters.
   * Required.
   */
  readonly redirect_uri?: string | undefined
  /**
   * A random value that your app keeps in the user's session and sends again with the code, up to 1,024 characters.
   * Default: none.
   */
  readonly nonce?: string | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
}

/** The parameters of `POST /v2/auth_providers/authorize`. */
export interface AuthenticateExternally {
  /** The `code` that the provider sent. Required unless there is an `error`. */
  readonly code?: string | null | undefined
  /** The `error` that the provider sent instead of a code. The error message contains it. Default: none. */
  readonly error?: string | null | undefined
  /**
   * The `iss` that the provider sent (RFC 9207). Checked if present, and required if the issuer of an `oidc` provider
   * announces it. Default: none.
   */
  readonly iss?: string | null | undefined
  /** The `nonce` that the URL was requested with. Required if the URL was requested with one. */
  readonly nonce?: string | null | undefined
  /** The `state` that the provider sent, valid for 30 minutes and one login. Required. */
  readonly state?: string | null | undefined
  /**
   * The `user` that Apple sent with the first login: JSON with the person's name, which Apple doesn't send again.
   * Default: none.
   */
  readonly user?: string | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `GET /v2/auth_providers/{auth_provider_id}/authorize`. */
export interface GetAuthorizationUrl {
  /**
   * The URL that the provider redirects users to with a code: an http or https URL of your app, up to 2,048 characters.
   * Required.
   */
  readonly redirect_uri?: string | undefined
  /**
   * A random value that your app keeps in the user's session and sends again with the code, up to 1,024 characters.
   * Default: none.
   */
  readonly nonce?: string | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
}

/** The parameters of `POST /v2/auth_providers/{auth_provider_id}/authorize`. */
export interface AuthenticateWithProviderToken {
  /** The access token that the provider's own SDK received. Required. */
  readonly access_token?: string | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** Logins through external providers. */
export interface ExternalAuthentication<F extends Form> {
  /**
   * List authorization URLs.
   *
   * Returns one URL for each active provider of the realm. Each is valid for 30 minutes and one login.
   *
   * Requires an API key of level `read`.
   */
  listUrls(query?: ListAuthorizationUrls, options?: CallOptions): Listed<F, AuthorizationUrl>
  /**
   * Authenticate with an authorization code.
   *
   * Accepts the parameters that the provider sent to `redirect_uri`: `code` or `error`, `state`, and `iss` and `user`
   * if present. Apple sends them in a posted form. If the URL was requested with a `nonce`, it is required, too. A 422
   * can contain `provider_id`, `retry_url` (if the same state can be used for another attempt) and `user_email`. Logs
   * in the user with this profile or, if the provider has verified the profile's email, the user with that email. If
   * there is none, a user is created. Events: `user.login.succeeded`, or `user.login.initiated` if a second factor is
   * required; before that `user.created`, or `user.updated` if the user did not have the profile yet, and
   * `session.deleted` for each session if the user's email had never been verified.
   *
   * Requires an API key of level `write`.
   */
  authenticate(body?: AuthenticateExternally, options?: CallOptions): Answer<F, Session | Token>
  /**
   * Get an authorization URL.
   *
   * The URL is valid for 30 minutes and one login. Returns 422 if the provider is inactive.
   *
   * Requires an API key of level `read`.
   */
  getUrl(authProviderId: string, query?: GetAuthorizationUrl, options?: CallOptions): Answer<F, AuthorizationUrl>
  /**
   * Authenticate with an access token.
   *
   * Accepts an access token from the provider's own SDK. The token must have been issued to the provider's `client_id`,
   * if the external service can confirm it. Logs in the user with this profile or, if the provider has verified the
   * profile's email, the user with that email. If there is none, a user is created. Events: `user.login.succeeded`, or
   * `user.login.initiated` if a second factor is required; before that `user.created`, or `user.updated` if the user
   * did not have the profile yet, and `session.deleted` for each session if the user's email had never been verified.
   *
   * Requires an API key of level `write`.
   */
  authenticateToken(
    authProviderId: string,
    body?: AuthenticateWithProviderToken,
    options?: CallOptions
  ): Answer<F, Session | Token>
}

/** Creates the resource's functions from a function that calls the API. */
export const externalAuthentication = <F extends Form>(call: Call<F>): ExternalAuthentication<F> => ({
  listUrls: (query, options) => call.list({ route: "GET /v2/auth_providers/authorize" }, [], query, options),
  authenticate: (body, options) => call.one({ route: "POST /v2/auth_providers/authorize" }, [], body, options),
  getUrl: (authProviderId, query, options) =>
    call.one({ route: "GET /v2/auth_providers/{auth_provider_id}/authorize" }, [authProviderId], query, options),
  authenticateToken: (authProviderId, body, options) =>
    call.one({ route: "POST /v2/auth_providers/{auth_provider_id}/authorize" }, [authProviderId], body, options)
})

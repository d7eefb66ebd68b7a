// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form, Listed } from "../../Form.ts"
import type { AuthProvider } from "../types/AuthProvider.ts"
import type { AuthProviderInput } from "../types/AuthProviderInput.ts"
import type { ProviderTest } from "../types/ProviderTest.ts"
import type { RequestInput } from "../types/RequestInput.ts"

/** The parameters of `GET /v2/auth_providers`. */
export interface ListAuthProviders {
  /**
   * The ID of the last item of the previous page, or the cursor in its `Link` header, which also works if that item has
   * been deleted since. A blank one counts as none; text that is neither is 404. Default: none, for the first page.
   */
  readonly after?: string | undefined
  /** The maximum number of items to return, 1 to 1,000. Default: 100. */
  readonly max_results?: number | undefined
  /** The field to sort by. Default: `id`. */
  readonly sort?: "id" | undefined
  /** The sort direction: ascending (`asc`, the default) or descending (`desc`). */
  readonly direction?: "asc" | "desc" | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /** Return only providers of this type. Default: all. */
  readonly provider_type?:
    | "password"
    | "totp"
    | "passkey"
    | "email_code"
    | "facebook"
    | "github"
    | "google"
    | "linkedin"
    | "slack"
    | "yahoo"
    | "oauth2"
    | undefined
  /** Return only items in this state. Default: all. */
  readonly state?: "active" | "inactive" | undefined
}

/** The parameters of `POST /v2/auth_providers`. */
export interface CreateAuthProvider {
  /**
   * What the provider is: `password`, `totp` (authenticator apps), `passkey`, `email_code` (codes by e-mail), one of
   * the named services, or any other OAuth 2.0 service (`oauth2`). Decides which members there are. Can't be changed
   * later.
   */
  readonly provider_type:
    | "password"
    | "totp"
    | "passkey"
    | "email_code"
    | "facebook"
    | "github"
    | "google"
    | "linkedin"
    | "slack"
    | "yahoo"
    | "oauth2"
  /** Whether the provider can be used to log in: `active` or `inactive`. Default: `active`. */
  readonly state?: "active" | "inactive" | undefined
  /** Of `password`: the least length of new passwords, in characters, 8 to 512. Default: 8. */
  readonly min_length?: number | null | undefined
  /**
   * Of `password`: rules on top of `min_length`: none (`none`), or those of NIST SP 800-63B (`nist`): at least 15
   * characters, or 8 for users with a second factor. Default: `none`.
   */
  readonly preset?: "none" | "nist" | null | undefined
  /**
   * Of `password`: the kinds of characters that new passwords must contain: `lower`, `upper`, `digit`, `symbol`.
   * Default: none.
   */
  readonly required_chars?:
    | ReadonlyArray<"lower" | "upper" | "digit" | "symbol">
    | "lower"
    | "upper"
    | "digit"
    | "symbol"
    | null
    | undefined
  /**
   * Of `passkey`: whether authenticators have to check who uses them, by a fingerprint, a face or a PIN: always
   * (`required`), or where they can (`preferred`). A login with that check counts as two factors, one without as one.
   * Default: `preferred`.
   */
  readonly user_verification?: "preferred" | "required" | null | undefined
  /**
   * Of `passkey`: whether new passkeys have to prove what authenticator keeps them: no (`none`; a statement that comes
   * all the same is not looked at), or by a statement that leads to a root certificate of its maker (`direct`), of
   * format `apple`, `android-key`, `packed`, `tpm` or `fido-u2f`. Synced passkeys have none, and are refused then.
   * Default: `none`.
   */
  readonly attestation?: "none" | "direct" | null | undefined
  /**
   * Of `passkey`, for `direct`: root certificates, in PEM, of the makers whose authenticators you accept, beside those
   * of Apple and Google, which are built in. At most 20. Default: none.
   */
  readonly attestation_roots?: ReadonlyArray<string> | null | undefined
  /**
   * Of `email_code`: whether a code by e-mail may also complete a login that waits for a second factor. It never makes
   * a login wait for one. Default: false.
   */
  readonly second_factor?: boolean | null | undefined
  /** The name that people see where they choose how to log in; null for that of the service. Default: null. */
  readonly name?: string | null | undefined
  /** Your client ID at the provider. Required, except for `password`, `totp`, `passkey` and `email_code`. */
  readonly client_id?: string | null | undefined
  /**
   * Your client secret at the provider. Stored encrypted, and never shown. Required, except for `password`, `totp`,
   * `passkey` and `email_code`.
   */
  readonly client_secret?: string | null | undefined
  /**
   * The OAuth scopes to ask for, 2,048 characters in all. A list, or one text with spaces between them. Default: what a
   * named service needs to show profile and e-mail; none for `oauth2`.
   */
  readonly scopes?: ReadonlyArray<string> | string | null | undefined
  /**
   * Of `oauth2`: the URL at which users log in. https, or http where the deployment allows it. Required for `oauth2`.
   */
  readonly authorization_url?: string | null | undefined
  /**
   * Of `oauth2`: the URL that exchanges codes for tokens. https, or http where the deployment allows it. Required for
   * `oauth2`.
   */
  readonly token_url?: string | null | undefined
  /**
   * Of `oauth2`: the URL that returns the user's profile as JSON. https, or http where the deployment allows it.
   * Required for `oauth2`.
   */
  readonly profile_url?: string | null | undefined
  /**
   * Of `oauth2`: how the client secret goes to the token URL: by HTTP Basic (`client_secret_basic`) or in the body
   * (`client_secret_post`); null to try HTTP Basic first and, if that is refused, the body. A test of the provider says
   * which it accepts. Default: null.
   */
  readonly token_endpoint_auth_method?: "client_secret_basic" | "client_secret_post" | null | undefined
  /** Of `oauth2`: the member of the profile with the user's ID, such as `sub` or `data.user.id`. Default: `id`. */
  readonly id_field?: string | null | undefined
  /** Of `oauth2`: the member of the profile with the e-mail. Default: `email`. */
  readonly email_field?: string | null | undefined
  /** Of `oauth2`: the member of the profile that says whether the e-mail is verified; null for never. Default: null. */
  readonly email_verified_field?: string | null | undefined
  /** Of `oauth2`: the member of the profile with the first name; null for none. Default: null. */
  readonly first_name_field?: string | null | undefined
  /** Of `oauth2`: the member of the profile with the last name; null for none. Default: null. */
  readonly last_name_field?: string | null | undefined
  /**
   * Of `oauth2`: the member of the profile with the whole name, for want of first and last name; null for none.
   * Default: null.
   */
  readonly name_field?: string | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * Who acts, as the caller knows it. Recorded with the events of the request, and with a session that it begins. Never
   * used to decide anything.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `PUT /v2/auth_providers/{auth_provider_id}`. */
export interface UpdateAuthProvider extends AuthProviderInput {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * Who acts, as the caller knows it. Recorded with the events of the request, and with a session that it begins. Never
   * used to decide anything.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v2/auth_providers/{auth_provider_id}/test`. */
export interface TestAuthProvider {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * Who acts, as the caller knows it. Recorded with the events of the request, and with a session that it begins. Never
   * used to decide anything.
   */
  readonly request?: RequestInput | undefined
}

/** How a realm authenticates users: passwords, codes and external providers. */
export interface AuthProviders<F extends Form> {
  /**
   * List auth providers.
   *
   * Every realm has `password`, `totp` and `email_code`, which is inactive at first. Client secrets are never shown.
   *
   * Requires a key of level `read`.
   */
  list(query?: ListAuthProviders, options?: CallOptions): Listed<F, AuthProvider>
  /**
   * Create an auth provider.
   *
   * `client_id` and `client_secret` are required; for `oauth2`, `authorization_url`, `token_url` and `profile_url` too.
   * A realm can have one provider of each type, and any number of type `oauth2`. Event: `auth_provider.created`.
   *
   * Requires a key of level `admin_realm`.
   */
  create(authProvider: CreateAuthProvider, options?: CallOptions): Answer<F, AuthProvider>
  /**
   * Get an auth provider.
   *
   * Requires a key of level `read`.
   */
  get(authProviderId: string, options?: CallOptions): Answer<F, AuthProvider>
  /**
   * Update an auth provider.
   *
   * Changes only the members sent; the type can't be changed. `min_length`, `preset` and `required_chars` belong to
   * `password`, `second_factor` to `email_code`. Event: `auth_provider.updated`.
   *
   * Requires a key of level `admin_realm`.
   */
  update(authProviderId: string, authProvider: UpdateAuthProvider, options?: CallOptions): Answer<F, AuthProvider>
  /**
   * Delete an auth provider.
   *
   * `password`, `totp` and `email_code` can't be deleted: set them to inactive instead. Event: `auth_provider.deleted`.
   *
   * Requires a key of level `admin_realm`.
   */
  delete(authProviderId: string, options?: CallOptions): Answer<F, void>
  /**
   * Test an auth provider.
   *
   * Asks the provider's endpoints whether the settings work, without a person who logs in: whether they answer, and
   * whether the client ID and the client secret are accepted, by a code that is made up. Of `oauth2` both ways of
   * sending the secret are tried, and the answer names `token_endpoint_auth_method` where the setting should be
   * another. `password`, `totp`, `passkey` and `email_code` call nothing outside. Each realm has 20 tests a minute.
   * Records no event.
   *
   * Requires a key of level `admin_realm`.
   */
  test(authProviderId: string, body?: TestAuthProvider, options?: CallOptions): Answer<F, ProviderTest>
}

/** Creates the resource's functions from a function that calls the API. */
export const authProviders = <F extends Form>(call: Call<F>): AuthProviders<F> => ({
  list: (query, options) => call.list({ route: "GET /v2/auth_providers" }, [], query, options),
  create: (authProvider, options) =>
    call.one({ route: "POST /v2/auth_providers", wrapper: "auth_provider", isCreate: true }, [], authProvider, options),
  get: (authProviderId, options) =>
    call.one({ route: "GET /v2/auth_providers/{auth_provider_id}" }, [authProviderId], undefined, options),
  update: (authProviderId, authProvider, options) =>
    call.one(
      { route: "PUT /v2/auth_providers/{auth_provider_id}", wrapper: "auth_provider" },
      [authProviderId],
      authProvider,
      options
    ),
  delete: (authProviderId, options) =>
    call.one({ route: "DELETE /v2/auth_providers/{auth_provider_id}" }, [authProviderId], undefined, options),
  test: (authProviderId, body, options) =>
    call.one({ route: "POST /v2/auth_providers/{auth_provider_id}/test" }, [authProviderId], body, options)
})

// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form, Listed } from "../../Form.ts"
import type { AuthProvider } from "../types/AuthProvider.ts"
import type { AuthProviderInput } from "../types/AuthProviderInput.ts"
import type { RequestInput } from "../types/RequestInput.ts"

/** The parameters of `GET /v1/auth_providers`. */
export interface ListAuthProvidersV1 {
  /**
   * The ID of the last item of the previous page, or the cursor in its `Link` header, which works even if that item has
   * been deleted since. A blank value counts as missing; other text returns 404. Default: none, for the first page.
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
    | "apple"
    | "facebook"
    | "github"
    | "google"
    | "linkedin"
    | "microsoft"
    | "slack"
    | "yahoo"
    | "oauth2"
    | "oidc"
    | undefined
  /** Return only items in this state. Default: all. */
  readonly state?: "active" | "inactive" | undefined
}

/** The parameters of `POST /v1/auth_providers`. */
export interface CreateAuthProviderV1 {
  /**
   * The type of provider: `password`, `totp` (authenticator apps), `passkey`, `email_code` (codes by email), one of the
   * named services, any OpenID Provider (`oidc`), or any other OAuth 2.0 service (`oauth2`). Determines which members
   * are present. Can't be changed later.
   */
  readonly provider_type:
    | "password"
    | "totp"
    | "passkey"
    | "email_code"
    | "apple"
    | "facebook"
    | "github"
    | "google"
    | "linkedin"
    | "microsoft"
    | "slack"
    | "yahoo"
    | "oauth2"
    | "oidc"
  /** Whether the provider can be used to log in: `active` or `inactive`. Default: `active`. */
  readonly state?: "active" | "inactive" | undefined
  /** For `password`: the minimum length of new passwords, in characters, 8 to 512. Default: 8. */
  readonly min_length?: number | null | undefined
  /**
   * For `password`: additional rules. There are none (`none`), or the rules of NIST SP 800-63B (`nist`): at least 15
   * characters, or 8 for users with a second factor. Default: `none`.
   */
  readonly preset?: "none" | "nist" | null | undefined
  /**
   * For `password`: the kinds of characters that new passwords must contain: `lower`, `upper`, `digit`, `symbol`.
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
   * For `passkey`: whether authenticators must verify the user by fingerprint, face or PIN, always (`required`) or only
   * if they can (`preferred`). A login counts as two factors with user verification, and as one without it. Default:
   * `preferred`.
   */
  readonly user_verification?: "preferred" | "required" | null | undefined
  /**
   * For `passkey`: whether the authenticators of new passkeys must prove their model. With `none`, attestation
   * statements are ignored. With `direct`, new passkeys need an attestation statement that chains to a root certificate
   * of the manufacturer, in the format `apple`, `android-key`, `packed`, `tpm` or `fido-u2f`. Synced passkeys have no
   * attestation, so `direct` rejects them. Default: `none`.
   */
  readonly attestation?: "none" | "direct" | null | undefined
  /**
   * For `passkey` with `direct`: the root certificates, in PEM, of the manufacturers whose authenticators you accept.
   * The certificates of Apple and Google are built in. At most 20. Default: none.
   */
  readonly attestation_roots?: ReadonlyArray<string> | null | undefined
  /**
   * For `email_code`: whether an emailed code can also complete a login that waits for a second factor. Logins never
   * require a second factor because of this setting. Default: false.
   */
  readonly second_factor?: boolean | null | undefined
  /** The name shown to people when they choose a login method; null for the provider's usual name. Default: null. */
  readonly name?: string | null | undefined
  /** Your client ID at the provider. Required, except for `password`, `totp`, `passkey` and `email_code`. */
  readonly client_id?: string | null | undefined
  /**
   * Your client secret at the provider. For `apple`: the private key, as in the .p8 file, from which the client secrets
   * are made. Stored encrypted, and never shown. Required, except for `password`, `totp`, `passkey` and `email_code`.
   */
  readonly client_secret?: string | null | undefined
  /** For `apple`: the ID of your team, ten letters and digits. Required for `apple`. */
  readonly team_id?: string | null | undefined
  /** For `apple`: the ID of the private key, ten letters and digits. Required for `apple`. */
  readonly key_id?: string | null | undefined
  /**
   * For `microsoft`: who can log in: anybody (`common`), only work and school accounts (`organizations`), only personal
   * accounts (`consumers`), or only the accounts of the tenant with this ID. Default: `common`.
   */
  readonly tenant?: string | null | undefined
  /**
   * For `oidc`: the issuer of the ID tokens. The endpoints and keys are read from its discovery document
   * (`/.well-known/openid-configuration`). https, or http if the deployment allows it. Required for `oidc`.
   */
  readonly issuer?: string | null | undefined
  /**
   * For `oidc`: how the provider returns the browser: by a redirect (`query`), or by a posted form (`form_post`), which
   * keeps the code out of URLs. Default: `query`.
   */
  readonly response_mode?: "query" | "form_post" | null | undefined
  /**
   * The OAuth scopes to request, up to 2,048 characters in total. A list, or one text separated by spaces. Default: the
   * scopes that a named service or `oidc` requires for profile and email; none for `oauth2`.
   */
  readonly scopes?: ReadonlyArray<string> | string | null | undefined
  /**
   * Whether the callback URL to register with the provider contains the type (`/auth/google/callback`) instead of the
   * ID (`/auth/ap_…/callback`), so that it is known before you create the provider. Ignored for `oauth2` and `oidc`, of
   * which a realm can have several. Default: false.
   */
  readonly callback_by_type?: boolean | null | undefined
  /** For `oauth2`: the URL at which users log in. https, or http if the deployment allows it. Required for `oauth2`. */
  readonly authorization_url?: string | null | undefined
  /**
   * For `oauth2`: the URL that exchanges codes for tokens. https, or http if the deployment allows it. Required for
   * `oauth2`.
   */
  readonly token_url?: string | null | undefined
  /**
   * For `oauth2`: the URL that returns the user's profile as JSON. https, or http if the deployment allows it. Required
   * for `oauth2`.
   */
  readonly profile_url?: string | null | undefined
  /**
   * For `oauth2` and `oidc`: how the client secret is sent to the token URL: by HTTP Basic (`client_secret_basic`) or
   * in the body (`client_secret_post`). With null, `oidc` uses a method in the discovery document, and `oauth2` tries
   * HTTP Basic first and, if that is rejected, the body. A provider test shows the accepted method. Default: null.
   */
  readonly token_endpoint_auth_method?: "client_secret_basic" | "client_secret_post" | null | undefined
  /** For `oauth2`: the member of the profile with the user's ID, such as `sub` or `data.user.id`. Default: `id`. */
  readonly id_field?: string | null | undefined
  /** For `oauth2`: the member of the profile with the email. Default: `email`. */
  readonly email_field?: string | null | undefined
  /**
   * For `oauth2`: the member of the profile that shows whether the email is verified; null if emails are never
   * verified. Default: null.
   */
  readonly email_verified_field?: string | null | undefined
  /** For `oauth2`: the member of the profile with the first name; null if there is none. Default: null. */
  readonly first_name_field?: string | null | undefined
  /** For `oauth2`: the member of the profile with the last name; null if there is none. Default: null. */
  readonly last_name_field?: string | null | undefined
  /**
   * For `oauth2`: the member of the profile with the full name, if there are no separate first and last names; null if
   * there is none. Default: null.
   */
  readonly name_field?: string | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `PUT /v1/auth_providers/{auth_provider_id}`. */
export interface UpdateAuthProviderV1 extends AuthProviderInput {
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The methods that users of a realm can log in with: passwords, codes and external providers. */
export interface AuthProvidersV1<F extends Form> {
  /**
   * List auth providers.
   *
   * Every realm has `password`, `totp` and `email_code` providers. `email_code` is inactive at first. Client secrets
   * are never shown.
   *
   * Requires an API key of level `read`.
   */
  list(query?: ListAuthProvidersV1, options?: CallOptions): Listed<F, AuthProvider>
  /**
   * Create an auth provider.
   *
   * `client_id` and `client_secret` are required. For `oauth2`, `authorization_url`, `token_url` and `profile_url` are
   * also required; for `oidc`, `issuer`; for `apple`, `team_id` and `key_id`. A realm can have one provider of each
   * type, and any number of the types `oauth2` and `oidc`. Event: `auth_provider.created`.
   *
   * Requires an API key of level `admin_realm`.
   */
  create(authProvider: CreateAuthProviderV1, options?: CallOptions): Answer<F, AuthProvider>
  /**
   * Get an auth provider.
   *
   * Requires an API key of level `read`.
   */
  get(authProviderId: string, options?: CallOptions): Answer<F, AuthProvider>
  /**
   * Update an auth provider.
   *
   * Changes only the members you send. The type can't be changed. `min_length`, `preset` and `required_chars` are
   * settings of `password`, and `second_factor` is a setting of `email_code`. Event: `auth_provider.updated`.
   *
   * Requires an API key of level `admin_realm`.
   */
  update(authProviderId: string, authProvider: UpdateAuthProviderV1, options?: CallOptions): Answer<F, AuthProvider>
  /**
   * Delete an auth provider.
   *
   * `password`, `totp` and `email_code` can't be deleted. Set them to inactive instead. Event: `auth_provider.deleted`.
   *
   * Requires an API key of level `admin_realm`.
   */
  delete(authProviderId: string, options?: CallOptions): Answer<F, void>
}

/** Creates the resource's functions from a function that calls the API. */
export const authProviders = <F extends Form>(call: Call<F>): AuthProvidersV1<F> => ({
  list: (query, options) => call.list({ route: "GET /v1/auth_providers" }, [], query, options),
  create: (authProvider, options) =>
    call.one({ route: "POST /v1/auth_providers", wrapper: "auth_provider", isCreate: true }, [], authProvider, options),
  get: (authProviderId, options) =>
    call.one({ route: "GET /v1/auth_providers/{auth_provider_id}" }, [authProviderId], undefined, options),
  update: (authProviderId, authProvider, options) =>
    call.one(
      { route: "PUT /v1/auth_providers/{auth_provider_id}", wrapper: "auth_provider" },
      [authProviderId],
      authProvider,
      options
    ),
  delete: (authProviderId, options) =>
    call.one({ route: "DELETE /v1/auth_providers/{auth_provider_id}" }, [authProviderId], undefined, options)
})

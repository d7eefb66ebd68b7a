// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** An oauth2 auth provider. */
export interface OAuth2AuthProvider {
  /** The auth provider's ID, which begins with `ap_`. */
  readonly id: string
  /** The type of the object: always `auth_provider`. */
  readonly object: "auth_provider"
  /** Whether the provider can be used to log in: `active` or `inactive`. */
  readonly state: "active" | "inactive"
  /** The ID of the realm that the resource belongs to. */
  readonly realm_id: string
  /** Unix time in seconds, with up to three decimals, at which the resource was created. */
  readonly created_at: number
  /** The name shown to people when they choose a login method; null for the provider's usual name. */
  readonly name: string | null
  /** Your client ID at the provider. */
  readonly client_id: string
  /** The OAuth scopes to request, up to 2,048 characters in total. */
  readonly scopes: ReadonlyArray<string>
  /**
   * Whether the callback URL to register with the provider contains the type (`/auth/google/callback`) instead of the
   * ID (`/auth/ap_…/callback`), so that it is known before you create the provider. Ignored for `oauth2` and `oidc`, of
   * which a realm can have several.
   */
  readonly callback_by_type: boolean
  /**
   * The type of provider: `password`, `totp` (authenticator apps), `passkey`, `email_code` (codes by email), one of the
   * named services, any OpenID Provider (`oidc`), or any other OAuth 2.0 service (`oauth2`). Determines which members
   * are present.
   */
  readonly provider_type: "oauth2"
  /** For `oauth2`: the URL at which users log in. */
  readonly authorization_url: string
  /** For `oauth2`: the URL that exchanges codes for tokens. */
  readonly token_url: string
  /** For `oauth2`: the URL that returns the user's profile as JSON. */
  readonly profile_url: string
  /**
   * For `oauth2` and `oidc`: how the client secret is sent to the token URL: by HTTP Basic (`client_secret_basic`) or
   * in the body (`client_secret_post`). With null, `oidc` uses a method in the discovery document, and `oauth2` tries
   * HTTP Basic first and, if that is rejected, the body. A provider test shows the accepted method.
   */
  readonly token_endpoint_auth_method: "client_secret_basic" | "client_secret_post" | null
  /** For `oauth2`: the member of the profile with the user's ID, such as `sub` or `data.user.id`. */
  readonly id_field: string
  /** For `oauth2`: the member of the profile with the email. */
  readonly email_field: string
  /**
   * For `oauth2`: the member of the profile that shows whether the email is verified; null if emails are never
   * verified.
   */
  readonly email_verified_field: string | null
  /** For `oauth2`: the member of the profile with the first name; null if there is none. */
  readonly first_name_field: string | null
  /** For `oauth2`: the member of the profile with the last name; null if there is none. */
  readonly last_name_field: string | null
  /**
   * For `oauth2`: the member of the profile with the full name, if there are no separate first and last names; null if
   * there is none.
   */
  readonly name_field: string | null
}

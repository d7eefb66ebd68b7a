// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** An authorization url. */
export interface AuthorizationUrl {
  /** The auth provider's ID, which begins with `ap_`. */
  readonly id: string
  /** The provider's type. */
  readonly provider_type:
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
    | (string & {})
  /** The URL to send the user to, valid for 30 minutes and one login. */
  readonly auth_url: string
  /** The ID of the provider's realm. */
  readonly realm_id: string
}

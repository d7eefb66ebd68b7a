// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A discovery. */
export interface Discovery {
  /** The issuer, as in the claim `iss` of the realm's tokens. */
  readonly issuer: string
  /** The URL of the realm's public keys. */
  readonly jwks_uri: string
  /** `code`; `id_token` in a realm without an RS256 key, which has no OAuth clients. */
  readonly response_types_supported: ReadonlyArray<string>
  /** Always `public`: `sub` is the user's ID in every app. */
  readonly subject_types_supported: ReadonlyArray<string>
  /** `RS256`; in a realm without such a key, `HS256`, which signs its login tokens. */
  readonly id_token_signing_alg_values_supported: ReadonlyArray<string>
  /**
   * The authorization endpoint, where browsers are sent to log in (RFC 6749). Missing in a realm without an RS256 key,
   * like all members below.
   */
  readonly authorization_endpoint?: string
  /** The token endpoint. */
  readonly token_endpoint?: string
  /** The endpoint for claims about the user (OpenID Connect Core). */
  readonly userinfo_endpoint?: string
  /** The endpoint where clients and resource servers check a token (RFC 7662). */
  readonly introspection_endpoint?: string
  /** The endpoint where clients revoke their tokens (RFC 7009). */
  readonly revocation_endpoint?: string
  /** The endpoint where browsers are sent to log out (OpenID Connect RP-Initiated Logout). */
  readonly end_session_endpoint?: string
  /** The endpoint where devices start a login (RFC 8628). */
  readonly device_authorization_endpoint?: string
  /** The endpoint for pushed authorization requests (RFC 9126). */
  readonly pushed_authorization_request_endpoint?: string
  /** The endpoint where clients register themselves, if the realm allows it (RFC 7591). */
  readonly registration_endpoint?: string
  /** Whether a `client_id` may be the URL of a document that describes the client. */
  readonly client_id_metadata_document_supported?: boolean
  /** The scopes that clients may request. */
  readonly scopes_supported?: ReadonlyArray<string>
  /** The grant types of the token endpoint. */
  readonly grant_types_supported?: ReadonlyArray<string>
  /** The methods by which clients can authenticate. */
  readonly token_endpoint_auth_methods_supported?: ReadonlyArray<string>
  /** Always `S256` (RFC 7636). */
  readonly code_challenge_methods_supported?: ReadonlyArray<string>
  /** The algorithms of DPoP proofs (RFC 9449). */
  readonly dpop_signing_alg_values_supported?: ReadonlyArray<string>
  /** The claims of ID tokens and of the userinfo endpoint. */
  readonly claims_supported?: ReadonlyArray<string>
}

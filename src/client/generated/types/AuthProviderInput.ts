// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** The settings of an auth provider. */
export interface AuthProviderInput {
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
}

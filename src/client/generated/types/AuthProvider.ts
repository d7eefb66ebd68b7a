// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** An auth provider. */
export type AuthProvider =
  | {
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
      /**
       * What the provider is: `password`, `totp` (authenticator apps), `passkey`, `email_code` (codes by e-mail), one of
       * the named services, or any other OAuth 2.0 service (`oauth2`). Decides which members there are.
       */
      readonly provider_type: "password"
      /** Of `password`: the least length of new passwords, in characters, 8 to 512. */
      readonly min_length: number
      /**
       * Of `password`: rules on top of `min_length`: none (`none`), or those of NIST SP 800-63B (`nist`): at least 15
       * characters, or 8 for users with a second factor.
       */
      readonly preset: "none" | "nist"
      /** Of `password`: the kinds of characters that new passwords must contain: `lower`, `upper`, `digit`, `symbol`. */
      readonly required_chars: ReadonlyArray<"lower" | "upper" | "digit" | "symbol">
    }
  | {
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
      /**
       * What the provider is: `password`, `totp` (authenticator apps), `passkey`, `email_code` (codes by e-mail), one of
       * the named services, or any other OAuth 2.0 service (`oauth2`). Decides which members there are.
       */
      readonly provider_type: "totp"
    }
  | {
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
      /**
       * What the provider is: `password`, `totp` (authenticator apps), `passkey`, `email_code` (codes by e-mail), one of
       * the named services, or any other OAuth 2.0 service (`oauth2`). Decides which members there are.
       */
      readonly provider_type: "passkey"
      /**
       * Of `passkey`: whether authenticators have to check who uses them, by a fingerprint, a face or a PIN: always
       * (`required`), or where they can (`preferred`). A login with that check counts as two factors, one without as one.
       */
      readonly user_verification: "preferred" | "required"
      /**
       * Of `passkey`: whether new passkeys have to prove what authenticator keeps them: no (`none`; a statement that comes
       * all the same is not looked at), or by a statement that leads to a root certificate of its maker (`direct`), of
       * format `apple`, `android-key`, `packed`, `tpm` or `fido-u2f`. Synced passkeys have none, and are refused then.
       */
      readonly attestation: "none" | "direct"
      /**
       * Of `passkey`, for `direct`: root certificates, in PEM, of the makers whose authenticators you accept, beside those
       * of Apple and Google, which are built in.
       */
      readonly attestation_roots: ReadonlyArray<string>
    }
  | {
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
      /**
       * What the provider is: `password`, `totp` (authenticator apps), `passkey`, `email_code` (codes by e-mail), one of
       * the named services, or any other OAuth 2.0 service (`oauth2`). Decides which members there are.
       */
      readonly provider_type: "email_code"
      /**
       * Of `email_code`: whether a code by e-mail may also complete a login that waits for a second factor. It never makes
       * a login wait for one.
       */
      readonly second_factor: boolean
    }
  | {
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
      /** The name that people see where they choose how to log in; null for that of the service. */
      readonly name: string | null
      /** Your client ID at the provider. */
      readonly client_id: string
      /** The OAuth scopes to ask for, 2,048 characters in all. */
      readonly scopes: ReadonlyArray<string>
      /**
       * What the provider is: `password`, `totp` (authenticator apps), `passkey`, `email_code` (codes by e-mail), one of
       * the named services, or any other OAuth 2.0 service (`oauth2`). Decides which members there are.
       */
      readonly provider_type: "facebook" | "github" | "google" | "linkedin" | "slack" | "yahoo" | (string & {})
    }
  | {
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
      /** The name that people see where they choose how to log in; null for that of the service. */
      readonly name: string | null
      /** Your client ID at the provider. */
      readonly client_id: string
      /** The OAuth scopes to ask for, 2,048 characters in all. */
      readonly scopes: ReadonlyArray<string>
      /**
       * What the provider is: `password`, `totp` (authenticator apps), `passkey`, `email_code` (codes by e-mail), one of
       * the named services, or any other OAuth 2.0 service (`oauth2`). Decides which members there are.
       */
      readonly provider_type: "oauth2"
      /** Of `oauth2`: the URL at which users log in. */
      readonly authorization_url: string
      /** Of `oauth2`: the URL that exchanges codes for tokens. */
      readonly token_url: string
      /** Of `oauth2`: the URL that returns the user's profile as JSON. */
      readonly profile_url: string
      /**
       * Of `oauth2`: how the client secret goes to the token URL: by HTTP Basic (`client_secret_basic`) or in the body
       * (`client_secret_post`); null to try HTTP Basic first and, if that is refused, the body. A test of the provider says
       * which it accepts.
       */
      readonly token_endpoint_auth_method: "client_secret_basic" | "client_secret_post" | null
      /** Of `oauth2`: the member of the profile with the user's ID, such as `sub` or `data.user.id`. */
      readonly id_field: string
      /** Of `oauth2`: the member of the profile with the e-mail. */
      readonly email_field: string
      /** Of `oauth2`: the member of the profile that says whether the e-mail is verified; null for never. */
      readonly email_verified_field: string | null
      /** Of `oauth2`: the member of the profile with the first name; null for none. */
      readonly first_name_field: string | null
      /** Of `oauth2`: the member of the profile with the last name; null for none. */
      readonly last_name_field: string | null
      /** Of `oauth2`: the member of the profile with the whole name, for want of first and last name; null for none. */
      readonly name_field: string | null
    }

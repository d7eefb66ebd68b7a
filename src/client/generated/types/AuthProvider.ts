// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { OAuth2AuthProvider } from "./OAuth2AuthProvider.ts"

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
       * The type of provider: `password`, `totp` (authenticator apps), `passkey`, `email_code` (codes by email), one of the
       * named services, any OpenID Provider (`oidc`), or any other OAuth 2.0 service (`oauth2`). Determines which members
       * are present.
       */
      readonly provider_type: "password"
      /** For `password`: the minimum length of new passwords, in characters, 8 to 512. */
      readonly min_length: number
      /**
       * For `password`: additional rules. There are none (`none`), or the rules of NIST SP 800-63B (`nist`): at least 15
       * characters, or 8 for users with a second factor.
       */
      readonly preset: "none" | "nist"
      /** For `password`: the kinds of characters that new passwords must contain: `lower`, `upper`, `digit`, `symbol`. */
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
       * The type of provider: `password`, `totp` (authenticator apps), `passkey`, `email_code` (codes by email), one of the
       * named services, any OpenID Provider (`oidc`), or any other OAuth 2.0 service (`oauth2`). Determines which members
       * are present.
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
       * The type of provider: `password`, `totp` (authenticator apps), `passkey`, `email_code` (codes by email), one of the
       * named services, any OpenID Provider (`oidc`), or any other OAuth 2.0 service (`oauth2`). Determines which members
       * are present.
       */
      readonly provider_type: "passkey"
      /**
       * For `passkey`: whether authenticators must verify the user by fingerprint, face or PIN, always (`required`) or only
       * if they can (`preferred`). A login counts as two factors with user verification, and as one without it.
       */
      readonly user_verification: "preferred" | "required"
      /**
       * For `passkey`: whether the authenticators of new passkeys must prove their model. With `none`, attestation
       * statements are ignored. With `direct`, new passkeys need an attestation statement that chains to a root certificate
       * of the manufacturer, in the format `apple`, `android-key`, `packed`, `tpm` or `fido-u2f`. Synced passkeys have no
       * attestation, so `direct` rejects them.
       */
      readonly attestation: "none" | "direct"
      /**
       * For `passkey` with `direct`: the root certificates, in PEM, of the manufacturers whose authenticators you accept.
       * The certificates of Apple and Google are built in.
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
       * The type of provider: `password`, `totp` (authenticator apps), `passkey`, `email_code` (codes by email), one of the
       * named services, any OpenID Provider (`oidc`), or any other OAuth 2.0 service (`oauth2`). Determines which members
       * are present.
       */
      readonly provider_type: "email_code"
      /**
       * For `email_code`: whether an emailed code can also complete a login that waits for a second factor. Logins never
       * require a second factor because of this setting.
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
      readonly provider_type: "apple"
      /** For `apple`: the ID of your team, ten letters and digits. */
      readonly team_id: string
      /** For `apple`: the ID of the private key, ten letters and digits. */
      readonly key_id: string
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
      readonly provider_type: "microsoft"
      /**
       * For `microsoft`: who can log in: anybody (`common`), only work and school accounts (`organizations`), only personal
       * accounts (`consumers`), or only the accounts of the tenant with this ID.
       */
      readonly tenant: string
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
      readonly provider_type: "oidc"
      /**
       * For `oidc`: the issuer of the ID tokens. The endpoints and keys are read from its discovery document
       * (`/.well-known/openid-configuration`).
       */
      readonly issuer: string
      /**
       * For `oauth2` and `oidc`: how the client secret is sent to the token URL: by HTTP Basic (`client_secret_basic`) or
       * in the body (`client_secret_post`). With null, `oidc` uses a method in the discovery document, and `oauth2` tries
       * HTTP Basic first and, if that is rejected, the body. A provider test shows the accepted method.
       */
      readonly token_endpoint_auth_method: "client_secret_basic" | "client_secret_post" | null
      /**
       * For `oidc`: how the provider returns the browser: by a redirect (`query`), or by a posted form (`form_post`), which
       * keeps the code out of URLs.
       */
      readonly response_mode: "query" | "form_post"
    }
  | OAuth2AuthProvider

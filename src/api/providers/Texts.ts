/** The descriptions of an auth provider's settings, for requests and responses. */
export const texts = {
  state: "Whether the provider can be used to log in: `active` or `inactive`.",
  provider_type:
    "The type of provider: `password`, `totp` (authenticator apps), `passkey`, `email_code` (codes by email), one of the named services, any OpenID Provider (`oidc`), or any other OAuth 2.0 service (`oauth2`). Determines which members are present.",
  min_length: "For `password`: the minimum length of new passwords, in characters, 8 to 512.",
  preset:
    "For `password`: additional rules. There are none (`none`), or the rules of NIST SP 800-63B (`nist`): at least 15 characters, or 8 for users with a second factor.",
  required_chars:
    "For `password`: the kinds of characters that new passwords must contain: `lower`, `upper`, `digit`, `symbol`.",
  user_verification:
    "For `passkey`: whether authenticators must verify the user by fingerprint, face or PIN, always (`required`) or only if they can (`preferred`). A login counts as two factors with user verification, and as one without it.",
  attestation:
    "For `passkey`: whether the authenticators of new passkeys must prove their model. With `none`, attestation statements are ignored. With `direct`, new passkeys need an attestation statement that chains to a root certificate of the manufacturer, in the format `apple`, `android-key`, `packed`, `tpm` or `fido-u2f`. Synced passkeys have no attestation, so `direct` rejects them.",
  attestation_roots:
    "For `passkey` with `direct`: the root certificates, in PEM, of the manufacturers whose authenticators you accept. The certificates of Apple and Google are built in.",
  second_factor:
    "For `email_code`: whether an emailed code can also complete a login that waits for a second factor. Logins never require a second factor because of this setting.",
  name: "The name shown to people when they choose a login method; null for the provider's usual name.",
  client_id: "Your client ID at the provider.",
  team_id: "For `apple`: the ID of your team, ten letters and digits.",
  key_id: "For `apple`: the ID of the private key, ten letters and digits.",
  tenant:
    "For `microsoft`: who can log in: anybody (`common`), only work and school accounts (`organizations`), only personal accounts (`consumers`), or only the accounts of the tenant with this ID.",
  issuer:
    "For `oidc`: the issuer of the ID tokens. The endpoints and keys are read from its discovery document (`/.well-known/openid-configuration`).",
  response_mode:
    "For `oidc`: how the provider returns the browser: by a redirect (`query`), or by a posted form (`form_post`), which keeps the code out of URLs.",
  scopes: "The OAuth scopes to request, up to 2,048 characters in total.",
  callback_by_type:
    "Whether the callback URL to register with the provider contains the type (`/auth/google/callback`) instead of the ID (`/auth/ap_…/callback`), so that it is known before you create the provider. Ignored for `oauth2` and `oidc`, of which a realm can have several.",
  authorization_url: "For `oauth2`: the URL at which users log in.",
  token_url: "For `oauth2`: the URL that exchanges codes for tokens.",
  profile_url: "For `oauth2`: the URL that returns the user's profile as JSON.",
  token_endpoint_auth_method:
    "For `oauth2` and `oidc`: how the client secret is sent to the token URL: by HTTP Basic (`client_secret_basic`) or in the body (`client_secret_post`). With null, `oidc` uses a method in the discovery document, and `oauth2` tries HTTP Basic first and, if that is rejected, the body. A provider test shows the accepted method.",
  id_field: "For `oauth2`: the member of the profile with the user's ID, such as `sub` or `data.user.id`.",
  email_field: "For `oauth2`: the member of the profile with the email.",
  email_verified_field:
    "For `oauth2`: the member of the profile that shows whether the email is verified; null if emails are never verified.",
  first_name_field: "For `oauth2`: the member of the profile with the first name; null if there is none.",
  last_name_field: "For `oauth2`: the member of the profile with the last name; null if there is none.",
  name_field:
    "For `oauth2`: the member of the profile with the full name, if there are no separate first and last names; null if there is none."
} as const

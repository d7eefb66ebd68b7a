/** The descriptions of an auth provider's settings, for requests and responses. */
export const texts = {
  state: "Whether the provider can be used to log in: `active` or `inactive`.",
  provider_type:
    "What the provider is: `password`, `totp` (authenticator apps), `passkey`, `email_code` (codes by email), one of the named services, or any other OAuth 2.0 service (`oauth2`). Decides which members there are.",
  min_length: "Of `password`: the least length of new passwords, in characters, 8 to 512.",
  preset:
    "Of `password`: rules on top of `min_length`: none (`none`), or those of NIST SP 800-63B (`nist`): at least 15 characters, or 8 for users with a second factor.",
  required_chars:
    "Of `password`: the kinds of characters that new passwords must contain: `lower`, `upper`, `digit`, `symbol`.",
  user_verification:
    "Of `passkey`: whether authenticators have to check who uses them, by a fingerprint, a face or a PIN: always (`required`), or where they can (`preferred`). A login with that check counts as two factors, one without as one.",
  attestation:
    "Of `passkey`: whether new passkeys have to prove what authenticator keeps them: no (`none`; a statement that comes all the same is not looked at), or by a statement that leads to a root certificate of its maker (`direct`), of format `apple`, `android-key`, `packed`, `tpm` or `fido-u2f`. Synced passkeys have none, and are refused then.",
  attestation_roots:
    "Of `passkey`, for `direct`: root certificates, in PEM, of the makers whose authenticators you accept, beside those of Apple and Google, which are built in.",
  second_factor:
    "Of `email_code`: whether a code by email may also complete a login that waits for a second factor. It never makes a login wait for one.",
  name: "The name that people see where they choose how to log in; null for that of the service.",
  client_id: "Your client ID at the provider.",
  scopes: "The OAuth scopes to ask for, 2,048 characters in all.",
  authorization_url: "Of `oauth2`: the URL at which users log in.",
  token_url: "Of `oauth2`: the URL that exchanges codes for tokens.",
  profile_url: "Of `oauth2`: the URL that returns the user's profile as JSON.",
  token_endpoint_auth_method:
    "Of `oauth2`: how the client secret goes to the token URL: by HTTP Basic (`client_secret_basic`) or in the body (`client_secret_post`); null to try HTTP Basic first and, if that is refused, the body. A test of the provider says which it accepts.",
  id_field: "Of `oauth2`: the member of the profile with the user's ID, such as `sub` or `data.user.id`.",
  email_field: "Of `oauth2`: the member of the profile with the email.",
  email_verified_field:
    "Of `oauth2`: the member of the profile that says whether the email is verified; null for never.",
  first_name_field: "Of `oauth2`: the member of the profile with the first name; null for none.",
  last_name_field: "Of `oauth2`: the member of the profile with the last name; null for none.",
  name_field:
    "Of `oauth2`: the member of the profile with the whole name, for want of first and last name; null for none."
} as const

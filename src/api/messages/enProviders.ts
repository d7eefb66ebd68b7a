/** The messages about external providers and logins at them, in English. */
export const providers = {
  access_token_unsupported: "Logins with an access token don't work with this provider. Use an authorization code.",
  apple_id_form: "{field} must be ten capital letters and digits, as Apple's developer website shows it.",
  apple_key_form:
    "{field} must be the private key from Apple: the whole .p8 file, from -----BEGIN PRIVATE KEY----- to -----END PRIVATE KEY-----.",
  issuer_form: "{field} must be a URL without a query.",
  tenant_form: "{field} must be common, organizations, consumers or the ID of a tenant.",
  access_token_refused: "The provider rejected the access token or issued it to another app.",
  another_profile: "The user with this email is linked to another profile at this provider.",
  email_missing: "The provider didn't share an email address.",
  email_unverified: "A user with this email already exists, and the provider has not verified it.",
  provider_answer: "The provider's response is not valid.",
  provider_denied: "The login was canceled at the provider.",
  provider_error: "The provider returned an error: {error}.",
  provider_inactive: "This login method is turned off for this realm.",
  provider_secret: "This login method isn't available right now.",
  provider_stays: "The password and totp providers can't be deleted. Set them to inactive instead.",
  provider_unreachable: "The provider could not be reached."
}

/** The messages about passkeys, in English. */
export const passkeys = {
  passkey_attestation: "The authenticator doesn't prove that it is from a manufacturer that the realm accepts.",
  passkey_ceremony: "A passkey can't be added this way. Start with the user's passkey_options.",
  passkey_invalid: "The passkey's response is not valid for this challenge.",
  passkey_no_app: "The realm needs an active connected app first.",
  passkey_origin: "The passkey was created on a different page than requested.",
  passkey_page: "{field} must belong to a page of one of the realm's connected apps.",
  passkey_taken: "This passkey is already registered.",
  passkey_unverified: "The authenticator must verify the user by fingerprint, face or PIN."
}

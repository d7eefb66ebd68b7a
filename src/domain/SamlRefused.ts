import { Data } from "effect"

/** The checks of a SAML response, in the order in which they are made. */
export const samlChecks = [
  // The message, before anything in it is trusted.
  "too_large",
  "base64",
  "encoding",
  "doctype",
  "processing_instruction",
  "comment",
  "cdata",
  "malformed",
  "too_deep",
  "duplicate_id",
  "not_a_response",
  "two_assertions",
  // The signature, and the signed response.
  "signature_missing",
  "signature_form",
  "algorithm",
  "signature",
  "signed_element",
  "status",
  "destination",
  "in_response_to",
  "response_issuer",
  "issue_instant",
  "no_assertion",
  // The assertion.
  "encryption_algorithm",
  "encrypted_for_other_key",
  "decryption",
  "issuer",
  "name_id",
  "subject_confirmation",
  "recipient",
  "not_before",
  "not_on_or_after",
  "conditions",
  "audience",
  "authn_statement",
  "session_not_on_or_after",
  "attributes"
] as const

/** A check of a SAML response. */
export type SamlCheck = (typeof samlChecks)[number]

/**
 * A SAML response isn't accepted. `found` is from the message and at most 200 characters long. `passed` are the checks before the
 * failed one, in order.
 */
export class SamlRefused extends Data.TaggedError("SamlRefused")<{
  readonly check: SamlCheck
  readonly expected?: string
  readonly found?: string
  readonly passed: ReadonlyArray<SamlCheck>
}> {}

import type { SamlCheck } from "#domain/SamlRefused"

/** Why a SAML response was refused, for administrators, in English. */
export const saml: Readonly<Record<`saml_${SamlCheck}`, string>> = {
  saml_too_large: "The response is too large. At most 256 KB and 10,000 elements are accepted.",
  saml_base64: "The response is not valid base64.",
  saml_encoding: "The response is not encoded in UTF-8.",
  saml_doctype: "The response has a DOCTYPE, which is not accepted.",
  saml_processing_instruction: "The response contains a processing instruction, which is not accepted.",
  saml_comment: "The response contains an XML comment, which is not accepted.",
  saml_cdata: "The response contains a CDATA section, which is not accepted.",
  saml_malformed: "The response is not well-formed XML.",
  saml_too_deep: "The elements of the response are nested too deeply.",
  saml_duplicate_id: "The response uses an ID twice.",
  saml_not_a_response: "The message is not a SAML 2.0 response[: it is {found}].",
  saml_two_assertions: "The response must contain one assertion, directly inside of it[. It contains {found}].",
  saml_signature_missing: "Neither the response nor its assertion is signed.",
  saml_signature_form: "The signature doesn't have the form that SAML requires[: {found}].",
  saml_algorithm:
    "The signature uses an algorithm that is not accepted[: {found}]. Use RSA with SHA-256 or SHA-512 and exclusive canonicalization.",
  saml_signature: "No certificate of the connection verifies the signature. The provider may have a new certificate.",
  saml_signed_element: "The signature belongs to another element[: {found}].",
  saml_status: "The provider didn't log the user in[: {found}].",
  saml_destination: "The response was sent to another address[: {found}]. Its destination must be {expected}.",
  saml_in_response_to: "The response belongs to another login request[: {found}].",
  saml_response_issuer: "The response is from another provider[: {found}]. The connection expects {expected}.",
  saml_issue_instant: "The response was issued in the future[, at {found}]. The provider's clock may be wrong.",
  saml_no_assertion: "The response contains no assertion.",
  saml_encryption_algorithm:
    "The assertion is encrypted with an algorithm that is not accepted[: {found}]. Use RSA-OAEP with AES-GCM or AES-CBC.",
  saml_encrypted_for_other_key:
    "The assertion is encrypted for another key. The provider may still use an old certificate of this connection.",
  saml_decryption: "The assertion can't be decrypted and verified.",
  saml_issuer: "The assertion is from another provider[: {found}]. The connection expects {expected}.",
  saml_name_id: "The assertion must name the user with one NameID, without spaces around it.",
  saml_subject_confirmation: "The assertion must have one bearer confirmation.",
  saml_recipient: "The assertion is for another address[: {found}]. Its recipient must be {expected}.",
  saml_not_before:
    "The assertion isn't valid yet[. It begins at {found}, and the time here is {expected}: a clock may be wrong].",
  saml_not_on_or_after:
    "The assertion has expired, or has no end that can be read[. It ends at {found}, and the time here is {expected}].",
  saml_conditions: "The assertion must have conditions that SAML 2.0 defines[. It has {found}].",
  saml_audience: "The assertion is for another service[: {found}]. Its audience must be {expected}.",
  saml_authn_statement: "The assertion doesn't say when the user logged in, or says a time in the future[: {found}].",
  saml_session_not_on_or_after: "The user's session at the provider has ended[, at {found}].",
  saml_attributes:
    "The assertion contains attributes that can't be read[: {found}]. Attributes must not be encrypted one by one."
}

import { expect, test } from "vitest"
import { ACS_URL, ENTITY_ID, goodResponse, NOW, outcomeOf, ownKeys, samlKeys, stranger } from "../support/saml.ts"
import { ASSERTION, containing, edit, partOf, type Row, respond, signedAssertion } from "../support/samlAttacks.ts"

const MINUTE = 60_000

const values: ReadonlyArray<Row> = [
  ["of a failed login", respond({ status: "urn:oasis:names:tc:SAML:2.0:status:Responder" }), "status"],
  ["without an assertion", containing(""), "no_assertion"],
  ["for another address", respond({ destination: "https://other.example/acs" }), "destination"],
  ["without a destination", respond({ destination: "" }), "destination"],
  ["for an address with a slash more", respond({ destination: `${ACS_URL}/` }), "destination"],
  ["to another request", respond({ inResponseTo: "_other" }), "in_response_to"],
  ["with an assertion for another request", respond({ confirmedRequest: "_other" }), "in_response_to"],
  ["with an assertion for no request", respond({ confirmedRequest: "" }), "in_response_to"],
  ["of another provider", respond({ responseIssuer: "https://other.example" }), "response_issuer"],
  ["with an assertion of another provider", respond({ issuer: "https://other.example" }), "issuer"],
  [
    "with an assertion without an issuer",
    respond({ signed: "response", editAssertion: (xml) => edit(xml, /<saml:Issuer>[^<]*<\/saml:Issuer>/, "") }),
    "issuer"
  ],
  ["of an unknown provider", stranger.respondXml(goodResponse), "response_issuer"],
  [
    "with a foreign signed assertion",
    edit(respond({ signed: "nothing" }), ASSERTION, partOf(stranger.respondXml(goodResponse), ASSERTION)),
    "signature"
  ],
  ["from the future", respond({ issueInstant: NOW + 2 * MINUTE }), "issue_instant"],
  [
    "with a time in another zone",
    edit(signedAssertion, /IssueInstant="[^"]*Z"/, 'IssueInstant="2026-06-01T12:00:00+00:00"'),
    "issue_instant"
  ],
  ["for another service provider", respond({ audience: "https://login.example/sso/cn_2" }), "audience"],
  ["for a service provider whose name begins the same", respond({ audience: `${ENTITY_ID}0` }), "audience"],
  [
    "for no audience",
    respond({ editAssertion: (xml) => edit(xml, /<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, "") }),
    "audience"
  ],
  [
    "for two audiences, of which one is another",
    respond({
      editAssertion: (xml) =>
        edit(
          xml,
          "</saml:Conditions>",
          "<saml:AudienceRestriction><saml:Audience>x</saml:Audience></saml:AudienceRestriction></saml:Conditions>"
        )
    }),
    "audience"
  ],
  [
    "without conditions",
    respond({ editAssertion: (xml) => edit(xml, /<saml:Conditions.*<\/saml:Conditions>/, "") }),
    "conditions"
  ],
  [
    "with an unknown condition",
    respond({ editAssertion: (xml) => edit(xml, "</saml:Conditions>", "<saml:Condition/></saml:Conditions>") }),
    "conditions"
  ],
  ["for another recipient", respond({ recipient: "https://other.example/acs" }), "recipient"],
  ["without a recipient", respond({ recipient: "" }), "recipient"],
  ["not yet valid", respond({ notBefore: NOW + 2 * MINUTE }), "not_before"],
  [
    "that has expired",
    respond({ notOnOrAfter: NOW - MINUTE, confirmationNotOnOrAfter: NOW + MINUTE }),
    "not_on_or_after"
  ],
  ["whose confirmation has expired", respond({ confirmationNotOnOrAfter: NOW - MINUTE }), "not_on_or_after"],
  [
    "whose confirmation never expires",
    respond({ editAssertion: (xml) => edit(xml, / NotOnOrAfter="[^"]*"/, "") }),
    "not_on_or_after"
  ],
  [
    "with a day that doesn't exist",
    respond({ editAssertion: (xml) => edit(xml, / NotOnOrAfter="[^"]*"/, ' NotOnOrAfter="2026-06-31T00:00:00Z"') }),
    "not_on_or_after"
  ],
  ["whose session has ended", respond({ sessionNotOnOrAfter: NOW - MINUTE }), "session_not_on_or_after"],
  [
    "with a confirmation by a key",
    respond({ editAssertion: (xml) => edit(xml, "cm:bearer", "cm:holder-of-key") }),
    "subject_confirmation"
  ],
  [
    "without a login",
    respond({ editAssertion: (xml) => edit(xml, /<saml:AuthnStatement.*<\/saml:AuthnStatement>/, "") }),
    "authn_statement"
  ],
  ["with a login in the future", respond({ authnInstant: NOW + 2 * MINUTE }), "authn_statement"],
  [
    "without a subject",
    respond({ editAssertion: (xml) => edit(xml, /<saml:Subject>.*<\/saml:Subject>/, "") }),
    "name_id"
  ],
  ["with an empty name", respond({ person: { nameId: "" } }), "name_id"],
  ["with blanks around the name", respond({ person: { nameId: " ada-1" } }), "name_id"],
  [
    "with an encrypted attribute",
    respond({
      person: { nameId: "ada-1", attributes: { a: ["b"] } },
      editAssertion: (xml) =>
        edit(xml, "</saml:AttributeStatement>", "<saml:EncryptedAttribute/></saml:AttributeStatement>")
    }),
    "attributes"
  ],
  [
    "encrypted for another service provider",
    respond({ encryption: { certificate: samlKeys(3).certificate } }),
    "encrypted_for_other_key"
  ],
  [
    "with RSA of PKCS #1 v1.5",
    edit(respond({ encryption: { certificate: ownKeys.certificate } }), "rsa-oaep-mgf1p", "rsa-1_5"),
    "encryption_algorithm"
  ],
  [
    "with Triple DES",
    edit(
      respond({ encryption: { certificate: ownKeys.certificate } }),
      /(?<=Algorithm=")[^"]*aes256-gcm/,
      "http://www.w3.org/2001/04/xmlenc#tripledes-cbc"
    ),
    "encryption_algorithm"
  ]
]

test.each(values)("SEC-300: refuses a response %s", async (_what, xml, check) => {
  expect(await outcomeOf(xml)).toBe(check)
})

test("times may differ by less than a minute", async () => {
  const late = respond({ notOnOrAfter: NOW - MINUTE + 1 })
  const early = respond({ notBefore: NOW + MINUTE, issueInstant: NOW + MINUTE, authnInstant: NOW + MINUTE })
  expect(await outcomeOf(late)).toBe("accepted ada-1")
  expect(await outcomeOf(early)).toBe("accepted ada-1")
})

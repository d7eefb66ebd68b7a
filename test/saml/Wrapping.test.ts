import { expect, test } from "vitest"
import { outcomeOf } from "../support/saml.ts"
import {
  afterIssuer,
  assertion,
  containing,
  edit,
  forged,
  partOf,
  type Row,
  SIGNATURE,
  signature,
  signedAssertion,
  signedResponse,
  unsigned
} from "../support/samlAttacks.ts"

const inSignature = (content: string): string =>
  edit(signature, "</ds:Signature>", `<ds:Object>${content}</ds:Object></ds:Signature>`)

const responseSignature = partOf(signedResponse, SIGNATURE)
const forgedResponse = edit(
  edit(edit(signedResponse, SIGNATURE, ""), "ada-1", "root"),
  'ID="_r"',
  'ID="_evil"'
).replace('ID="_a"', 'ID="_b"')

const wrapping: ReadonlyArray<Row> = [
  [
    "1: the signed response inside of the signature of a forged one",
    afterIssuer(
      forgedResponse,
      edit(responseSignature, "</ds:Signature>", `${edit(signedResponse, SIGNATURE, "")}</ds:Signature>`)
    ),
    "two_assertions"
  ],
  [
    "2: the signed response beside its signature in a forged one",
    afterIssuer(forgedResponse, `${edit(signedResponse, SIGNATURE, "")}${responseSignature}`),
    "two_assertions"
  ],
  ["3: a forged assertion before the signed one", containing(`${forged}${assertion}`), "two_assertions"],
  [
    "4: the signed assertion inside of a forged one",
    containing(edit(forged, "</saml:Assertion>", `${assertion}</saml:Assertion>`)),
    "two_assertions"
  ],
  [
    "5: a forged assertion with the signature, the signed one after it",
    containing(`${afterIssuer(forged, signature)}${unsigned}`),
    "two_assertions"
  ],
  [
    "6: a forged assertion with the signature, the signed one inside of it",
    containing(afterIssuer(forged, edit(signature, "</ds:Signature>", `${unsigned}</ds:Signature>`))),
    "two_assertions"
  ],
  [
    "7: a forged assertion with the same ID in an extension",
    containing(`<samlp:Extensions>${edit(forged, "_evil", "_a")}</samlp:Extensions>${assertion}`),
    "duplicate_id"
  ],
  [
    "8: the signed assertion in an object of the signature",
    containing(afterIssuer(forged, inSignature(unsigned))),
    "two_assertions"
  ],
  ["a signature that refers to another element", containing(afterIssuer(forged, signature)), "signature_form"],
  [
    "the signed assertion under another name (CVE-2026-47201)",
    containing(
      `${afterIssuer(forged, signature)}<samlp:Extensions>${unsigned.replaceAll("saml:Assertion", "saml:Evidence")}</samlp:Extensions>`
    ),
    "signature_form"
  ],
  [
    "a signed response that is a child of a forged one (CVE-2025-47949)",
    edit(forgedResponse, "<samlp:Status>", `<samlp:Extensions>${signedResponse}</samlp:Extensions><samlp:Status>`),
    "two_assertions"
  ],
  [
    "an assertion in the namespace of SAML 1.1",
    containing(assertion.replaceAll("SAML:2.0:assertion", "SAML:1.0:assertion")),
    "two_assertions"
  ],
  [
    "an assertion that isn't a child of the response",
    containing(`<samlp:Extensions>${assertion}</samlp:Extensions>`),
    "two_assertions"
  ],
  ["two signatures in an assertion", edit(signedAssertion, SIGNATURE, `${signature}${signature}`), "signature_form"],
  ["a signature beside the assertion", containing(`${signature}${forged}`), "signature_form"],
  [
    "a signature in another namespace",
    edit(signedAssertion, 'xmlns:ds="http://www.w3.org/2000/09/xmldsig#"', 'xmlns:ds="urn:x"'),
    "signature_form"
  ],
  [
    "a signed assertion beside a wrong signature of the response",
    afterIssuer(signedAssertion, responseSignature),
    "signature"
  ]
]

test.each(wrapping)("SEC-297: refuses %s", async (_what, xml, check) => {
  expect(await outcomeOf(xml)).toBe(check)
})

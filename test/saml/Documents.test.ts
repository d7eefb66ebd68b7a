import { deflateRawSync } from "node:zlib"
import { describe, expect, test } from "vitest"
import { base64, outcomeOf, readEncoded } from "../support/saml.ts"
import { containing, edit, type Row, signedAssertion } from "../support/samlAttacks.ts"

const bomb = `<!DOCTYPE a [${Array.from({ length: 20 }, (_, n) => `<!ENTITY e${n + 1} "&e${n};&e${n};">`).join("")}]>`

const inName = (text: string): string => edit(signedAssertion, "ada-1", text)

const documents: ReadonlyArray<Row> = [
  ["of more than 256 KB", edit(signedAssertion, "<samlp:Status>", `${" ".repeat(262_144)}<samlp:Status>`), "too_large"],
  ["of 10 MB", " ".repeat(10_000_000), "too_large"],
  ["with 10,001 elements", containing(`<samlp:Extensions>${"<a/>".repeat(10_001)}</samlp:Extensions>`), "too_large"],
  [
    "with 100 attributes in an element",
    containing(`<a ${Array.from({ length: 100 }, (_, n) => `a${n}=""`).join(" ")}/>`),
    "too_large"
  ],
  ["with 40 levels", containing(`${"<a>".repeat(40)}${"</a>".repeat(40)}`), "too_deep"],
  [
    "with a document type (CVE-2025-25291)",
    `<!DOCTYPE samlp:Response [<!ATTLIST saml:Assertion ID ID #IMPLIED>]>${signedAssertion}`,
    "doctype"
  ],
  ["with an entity bomb", `${bomb}${signedAssertion}`, "doctype"],
  ["with an external entity", `<!DOCTYPE a SYSTEM "file:///etc/passwd">${signedAssertion}`, "doctype"],
  ["with a document type after a comment", `<!-- --><!DOCTYPE a>${signedAssertion}`, "comment"],
  ["with an undefined entity", inName("&admin;"), "malformed"],
  ["that is compressed", deflateRawSync(signedAssertion), "encoding"],
  ["in UTF-16", Buffer.from(`\uFEFF${signedAssertion}`, "utf16le"), "encoding"],
  ["that says UTF-7", `<?xml version="1.0" encoding="UTF-7"?>${signedAssertion}`, "encoding"],
  ["with a broken character", Buffer.concat([Buffer.from(inName("ada-")), Buffer.from([0xc3])]), "encoding"],
  ["with a null character", inName("ada-1\u0000"), "malformed"],
  ["with a reference to a null character", inName("ada-1&#0;"), "malformed"],
  ["with a comment in the name", inName("ada<!-- -->-1"), "comment"],
  ["with a processing instruction in the name", inName("ada<?x?>-1"), "processing_instruction"],
  ["with CDATA in the name", inName("<![CDATA[ada-1]]>"), "cdata"],
  ["with an element in the name", inName("ada-1<b/>"), "signature"],
  [
    "with a second XML declaration",
    `<?xml version="1.0"?><?xml version="1.0"?>${signedAssertion}`,
    "processing_instruction"
  ],
  ["with two roots", `${signedAssertion}${signedAssertion}`, "malformed"],
  ["with text after the root", `${signedAssertion}x`, "malformed"],
  ["without an end", signedAssertion.slice(0, -1), "malformed"],
  ["with an attribute twice", edit(signedAssertion, 'ID="_r"', 'ID="_r" ID="_s"'), "malformed"],
  [
    "with an attribute twice by two prefixes (CVE-2025-25292)",
    edit(signedAssertion, 'ID="_a"', 'xmlns:a="urn:x" xmlns:b="urn:x" a:ID="_1" b:ID="_2" ID="_a"'),
    "malformed"
  ],
  [
    "with an undeclared prefix (CVE-2025-66567)",
    edit(signedAssertion, "<saml:Subject>", "<saml:Subject x:y='z'>"),
    "malformed"
  ],
  [
    "with a rebound prefix xml",
    edit(signedAssertion, "<saml:Subject>", '<saml:Subject xmlns:xml="urn:x">'),
    "malformed"
  ],
  [
    "with an attribute that looks like a declaration",
    edit(signedAssertion, "<saml:Subject>", '<saml:Subject xmlnsx="urn:x">'),
    "malformed"
  ],
  ["with an unquoted attribute", edit(signedAssertion, 'ID="_r"', "ID=_r"), "malformed"],
  ["with < in an attribute", edit(signedAssertion, 'ID="_r"', 'ID="_r<"'), "malformed"],
  ["with an ID twice", edit(signedAssertion, "<saml:Subject>", '<saml:Subject ID="_r">'), "duplicate_id"],
  [
    "with an ID twice in different cases",
    edit(signedAssertion, "<saml:Subject>", '<saml:Subject Id="_a">'),
    "duplicate_id"
  ],
  [
    "that is a request",
    "<samlp:AuthnRequest xmlns:samlp='urn:oasis:names:tc:SAML:2.0:protocol' Version='2.0'/>",
    "not_a_response"
  ],
  ["of SAML 1.1", edit(signedAssertion, 'Version="2.0"', 'Version="1.1"'), "not_a_response"],
  ["that is HTML", "<html><body>Sign in</body></html>", "not_a_response"],
  ["that is empty", "", "base64"]
]

test.each(documents)("SEC-299: refuses a document %s", async (_what, xml, check) => {
  expect(await outcomeOf(xml)).toBe(check)
})

describe("SEC-299: the form field", () => {
  test.each([
    ["in the alphabet for URLs", base64(signedAssertion).replaceAll("A", "-")],
    ["with missing padding", base64(`${signedAssertion}  `).replace(/=+$/, "").slice(0, -1)],
    ["with other characters", `${base64(signedAssertion)}!`],
    ["that isn't encoded", signedAssertion]
  ])("is refused %s", async (_what, encoded) => {
    expect(await readEncoded(encoded)).toMatchObject({ check: "base64" })
  })

  test("is accepted with line breaks", async () => {
    const encoded = base64(signedAssertion).replaceAll(/.{76}/g, "$&\r\n")
    expect(await readEncoded(encoded)).toMatchObject({ nameId: "ada-1" })
  })
})

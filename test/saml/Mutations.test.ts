import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { SamlRefused } from "#domain/SamlRefused"
import { signedBytes } from "#saml/SignedBytes"
import { base64, expectations, goodResponse, outcomeOf, provider, readEncoded } from "../support/saml.ts"
import { afterIssuer, edit, forged, partOf, respond, SIGNATURE } from "../support/samlAttacks.ts"

const signatureTemplate = (id: string): string =>
  `<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#">
  <ds:SignedInfo>
    <ds:CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/>
    <ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/>
    <ds:Reference URI="#${id}">
      <ds:Transforms>
        <ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/>
        <ds:Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#">
          <ec:InclusiveNamespaces xmlns:ec="http://www.w3.org/2001/10/xml-exc-c14n#" PrefixList="xs"/>
        </ds:Transform>
      </ds:Transforms>
      <ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>
      <ds:DigestValue></ds:DigestValue>
    </ds:Reference>
  </ds:SignedInfo>
  <ds:SignatureValue></ds:SignatureValue>
</ds:Signature>`

const folder = mkdtempSync(join(tmpdir(), "sallyport-saml-"))

/** Signs the response or its assertion with xmlsec1. */
const signWithXmlsec = (xml: string, element: "Response" | "Assertion"): string => {
  const namespace = `urn:oasis:names:tc:SAML:2.0:${element === "Response" ? "protocol" : "assertion"}`
  const [key, template] = [join(folder, "key.pem"), join(folder, "template.xml")]
  writeFileSync(key, provider.signer.privateKey)
  writeFileSync(template, xml)
  const idAttribute = ["--id-attr:ID", `${namespace}:${element}`]
  return execFileSync("xmlsec1", ["--sign", "--privkey-pem", key, ...idAttribute, template], { encoding: "utf8" })
}

/** A response with line breaks, declared but unused namespaces, and an attribute of a schema type, as real providers write them. */
const unsigned = respond({ signed: "nothing" })
  .replace("<samlp:Response ", '<samlp:Response xmlns:xs="http://www.w3.org/2001/XMLSchema" ')
  .replace(
    "<saml:AttributeValue>",
    '<saml:AttributeValue xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string">'
  )
  .replaceAll("><", ">\n<")

let signed = ""

beforeAll(() => {
  const [before, after] = unsigned.split(/(?=<saml:Assertion )/)
  signed = signWithXmlsec(`${before}${afterIssuer(after ?? "", signatureTemplate("_a"))}`, "Assertion")
  return () => rmSync(folder, { recursive: true, force: true })
})

describe("xmlsec1", () => {
  test("signs an assertion that is accepted", async () => {
    expect(await outcomeOf(signed)).toBe("accepted ada-1")
  })

  test("signs a response that is accepted", async () => {
    expect(await outcomeOf(signWithXmlsec(afterIssuer(unsigned, signatureTemplate("_r")), "Response"))).toBe(
      "accepted ada-1"
    )
  })

  test("verifies what the test kit's provider signs", () => {
    const file = join(folder, "signed.xml")
    writeFileSync(file, provider.respondXml({ ...goodResponse, signed: "response" }))
    writeFileSync(
      join(folder, "cert.pem"),
      `-----BEGIN CERTIFICATE-----\n${provider.signer.certificate}\n-----END CERTIFICATE-----\n`
    )
    const verify = ["--verify", "--enabled-key-data", "rsa", "--pubkey-cert-pem", join(folder, "cert.pem")]
    const idAttribute = ["--id-attr:ID", "urn:oasis:names:tc:SAML:2.0:protocol:Response"]
    const printed = execFileSync("xmlsec1", [...verify, ...idAttribute, file], { encoding: "utf8", stdio: "pipe" })
    expect(printed).not.toContain("FAIL")
  })
})

/** A generator of numbers below a limit, always the same for a seed (mulberry32). */
const randomFrom = (seed: number) => {
  let state = seed
  return (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * limit)
  }
}

type Random = ReturnType<typeof randomFrom>

/** Texts that are put where they don't belong. */
const inserted = [
  "<!-- -->",
  "<?x y?>",
  "<![CDATA[x]]>",
  "&amp;",
  "&#x41;",
  "&x;",
  "<a/>",
  " ",
  "\n",
  "\t",
  "\r",
  "'",
  '"',
  "]]>",
  "\u2028",
  "\u0085",
  "\uFEFF",
  "root",
  "<saml:NameID>root</saml:NameID>",
  forged,
  ' ID="_a"',
  ' xmlns="urn:x"',
  ' xmlns:saml="urn:x"',
  ' xmlns:xs="urn:x"',
  "<saml:Audience>x</saml:Audience>",
  "</saml:Assertion>"
]

/** Ways to change the bytes of a text. */
const byteChanges: ReadonlyArray<(text: string, at: number, random: Random) => string> = [
  (text, at) => text.slice(0, at) + text.slice(at + 1),
  (text, at, random) => text.slice(0, at) + String.fromCharCode(32 + random(95)) + text.slice(at + 1),
  (text, at, random) => text.slice(0, at) + String.fromCharCode(32 + random(95)) + text.slice(at),
  (text, at, random) => text.slice(0, at) + (inserted[random(inserted.length)] ?? "") + text.slice(at),
  (text, at, random) => text.slice(0, at) + text.slice(at + random(200)),
  (text, at, random) => text.slice(0, at) + text.slice(at, at + random(200)).repeat(2) + text.slice(at),
  (text, at) => text.slice(0, at) + (text[at] ?? "").toUpperCase() + text.slice(at + 1)
]

/** Ways to change the tags and texts of a document. */
const structureChanges: ReadonlyArray<(parts: Array<string>, at: number, random: Random) => void> = [
  (parts, at) => parts.splice(at, 1),
  (parts, at) => parts.splice(at, 0, parts[at] ?? ""),
  (parts, at, random) => parts.splice(random(parts.length), 0, ...parts.splice(at, 1)),
  (parts, at, random) => parts.splice(random(parts.length), 0, ...parts.splice(at, 3)),
  (parts, at, random) => parts.splice(random(parts.length), 0, ...parts.slice(at, at + 1 + random(8))),
  (parts, at, random) => parts.splice(at, 0, inserted[random(inserted.length)] ?? ""),
  (parts, at) => parts.splice(at, 1, (parts[at] ?? "").replace(/^<(\/?)\w+:/, "<$1x:")),
  (parts, at) => parts.splice(at, 1, (parts[at] ?? "").replace(/="([^"]*)"/, '="x$1"')),
  (parts, at) => parts.splice(at, 1, (parts[at] ?? "").replace(/(\w+)="([^"]*)" (\w+)="([^"]*)"/, '$1="$4" $3="$2"')),
  (parts, at) => parts.splice(at, 1, (parts[at] ?? "").replace(/ ([\w:]+="[^"]*")(?=[ />])/, "  $1")),
  (parts, at) => parts.splice(at, 1, (parts[at] ?? "").replaceAll('"', "'"))
]

const mutate = (text: string, random: Random): string => {
  if (random(2) === 0) return byteChanges[random(byteChanges.length)]?.(text, random(text.length), random) ?? text
  const parts = text.match(/<[^>]+>|[^<]+/g) ?? []
  structureChanges[random(structureChanges.length)]?.(parts, random(parts.length), random)
  return parts.join("")
}

/** The assertion without its signature, and without what canonicalization leaves out: declarations, white space in tags, quotes. */
const signedPart = (xml: string): string =>
  edit(partOf(xml, /<saml:Assertion.*<\/saml:Assertion\s*>/s), SIGNATURE, "")
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/ xmlns(?::\w+)?=(?:"[^"]*"|'[^']*')/g, "")
    .replaceAll(/<[^>]+>/g, (tag) =>
      tag
        .replaceAll("'", '"')
        .replaceAll(/\s+/g, " ")
        .replaceAll(/ (?=\/?>)| (?==)|(?<==) /g, "")
    )

const VARIANTS = 10_000

test("SEC-297: of 10,000 variants of a response, accepts only those whose signed part is unchanged", {
  timeout: 180_000
}, async () => {
  const random = randomFrom(44)
  const original = await readEncoded(base64(signed))
  const bytes = signedBytes(signed, "assertion", expectations.certificates)
  const refusals = new Map<string, number>()
  const accepted: Array<string> = []
  for (let n = 0; n < VARIANTS; n++) {
    let variant = signed
    for (let changes = 1 + random(3); changes > 0; changes--) variant = mutate(variant, random)
    const result = await readEncoded(base64(variant))
    if (result instanceof SamlRefused) refusals.set(result.check, (refusals.get(result.check) ?? 0) + 1)
    else {
      expect(result).toEqual(original)
      accepted.push(variant)
    }
  }
  for (const variant of accepted) {
    expect(signedBytes(variant, "assertion", expectations.certificates)).toBe(bytes)
    expect(signedPart(variant)).toBe(signedPart(signed))
  }
  // The changes reach every stage of the checks.
  expect([...refusals.keys()]).toEqual(
    expect.arrayContaining(["malformed", "duplicate_id", "two_assertions", "signature_form", "algorithm", "signature"])
  )
  expect(accepted.length).toBeGreaterThan(0)
})

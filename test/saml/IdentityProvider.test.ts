import { generateKeyPairSync } from "node:crypto"
import { Result } from "effect"
import { describe, expect, test } from "vitest"
import { selfSignedCertificate } from "#platform/SelfSignedCertificate"
import { MAX_METADATA, type MetadataOptions, readIdentityProvider } from "#saml/IdentityProvider"
import { SamlProvider } from "#testing/SamlProvider"
import { DAY, NOW, provider, samlKeys } from "../support/saml.ts"

const read = (text: string, options: Partial<MetadataOptions> = {}) => {
  const result = readIdentityProvider(text, { now: NOW, ...options })
  return Result.isSuccess(result) ? result.success : result.failure
}

/** A certificate with other keys or times. */
const certificateWith = (bits: number, notAfter = NOW + DAY): string => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: bits })
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString()
  const serialNumber = Buffer.alloc(15, 7)
  return selfSignedCertificate({ privateKey: pem, name: "idp", serialNumber, notBefore: NOW - DAY, notAfter })
}

const second = new SamlProvider(samlKeys(2), () => NOW, "https://second.example/metadata")

const withoutDeclaration = (xml: string): string => xml.replace(/^<\?xml.*?\?>/, "")

const federation = (attributes: string, ...all: ReadonlyArray<SamlProvider>): string =>
  `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" ${attributes}>${all.map((one) => withoutDeclaration(one.metadata())).join("\n")}</md:EntitiesDescriptor>`

const edited = (from: string | RegExp, to: string): string => {
  const xml = provider.metadata().replace(from, to)
  if (xml === provider.metadata()) throw new Error(`Nothing to replace: ${from}`)
  return xml
}

describe("metadata of an identity provider", () => {
  test("has the entity ID, the login URL and all signing certificates", () => {
    const certificates = [provider.signer.certificate, second.signer.certificate]
    expect(read(provider.metadata(certificates))).toEqual({
      entityId: "https://idp.example/metadata",
      ssoUrl: "https://idp.example/sso",
      certificates: certificates.map((base64) => expect.objectContaining({ base64, notAfter: NOW + 365 * DAY })),
      validUntil: null,
      wantsSignedRequests: true,
      warnings: []
    })
  })

  test("may have comments between elements, line breaks in certificates, and keys without a use", () => {
    const xml = edited(' use="signing"', "")
      .replace("<md:KeyDescriptor", "<!-- the key -->\n<md:KeyDescriptor")
      .replace(/(?<=X509Certificate>)([^<]+)/, (base64) => `\n  ${base64.replaceAll(/.{64}/g, "$&\r\n")}\n`)
    expect(read(xml)).toMatchObject({ certificates: [{ base64: provider.signer.certificate }] })
  })

  test("of several providers needs an entity ID", () => {
    const xml = federation("", provider, second)
    const ids = [provider.entityId, second.entityId]
    expect(read(xml)).toEqual({ code: "several_providers", values: ids })
    expect(read(xml, { entityId: second.entityId })).toMatchObject({ entityId: second.entityId })
    expect(read(xml, { entityId: "https://third.example" })).toEqual({ code: "unknown_provider", values: ids })
  })

  test("expires at the earliest validUntil around the provider", () => {
    const xml = federation('validUntil="2026-06-02T00:00:00Z"', provider)
    expect(read(xml)).toMatchObject({ validUntil: Date.parse("2026-06-02T00:00:00Z") })
    expect(read(xml, { now: Date.parse("2026-06-02T00:00:00Z") })).toEqual({
      code: "expired",
      values: ["2026-06-02T00:00:00.000Z"]
    })
  })

  test("warns of an expired certificate, and of a weak one beside a good one", () => {
    const expired = certificateWith(2_048, NOW - 1_000)
    expect(read(provider.metadata([expired]))).toMatchObject({
      certificates: [{ base64: expired }],
      warnings: [{ code: "certificate_expired", value: expect.stringMatching(/^[\da-f]{64}$/) }]
    })
    expect(read(provider.metadata([certificateWith(1_024), provider.signer.certificate]))).toMatchObject({
      certificates: [{ base64: provider.signer.certificate }],
      warnings: [{ code: "weak_certificate" }]
    })
  })

  const deep = (depth: number) => `${"<a>".repeat(depth)}${"</a>".repeat(depth)}`
  const entityDescriptor = '<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="x">'

  test.each<readonly [string, string, string]>([
    ["of 5 MB", `${provider.metadata()}${" ".repeat(5 * MAX_METADATA)}`, "too_large"],
    ["that is HTML", "<!DOCTYPE html><html><body>Not found</body></html>", "html"],
    ["that is XHTML", '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>', "html"],
    ["that is JSON", '{"issuer": "https://idp.example"}', "malformed"],
    ["that is empty", "", "malformed"],
    ["with a document type", `<!DOCTYPE a [<!ENTITY b "c">]>${withoutDeclaration(provider.metadata())}`, "doctype"],
    ["with an undefined entity", edited("https://idp.example/sso", "&xxe;"), "malformed"],
    ["with a comment inside of a value", edited("</ds:X509Certificate>", "<!-- x --></ds:X509Certificate>"), "comment"],
    ["with a processing instruction", edited("?>", "?><?xml-stylesheet href='x'?>"), "processing_instruction"],
    ["in another encoding", edited('version="1.0"', 'version="1.0" encoding="UTF-16"'), "encoding"],
    ["with 40 levels", deep(40), "too_deep"],
    ["with 60,000 elements", `<a>${"<b/>".repeat(60_000)}</a>`, "too_large"],
    ["of another kind of document", "<rss/>", "not_metadata"],
    ["of a service provider", `${entityDescriptor}<md:SPSSODescriptor/></md:EntityDescriptor>`, "no_provider"],
    ["of SAML 1.1 only", edited("SAML:2.0:protocol", "SAML:1.1:protocol"), "no_provider"],
    ["without an entity ID", edited(/ entityID="[^"]*"/, ""), "entity_id"],
    ["with a wrong time", edited("entityID", 'validUntil="tomorrow" entityID'), "malformed"],
    ["with the POST binding only", edited("HTTP-Redirect", "HTTP-POST"), "no_redirect_binding"],
    ["with a script as login URL", edited("https://idp.example/sso", "javascript:alert(1)"), "sso_url"],
    ["with a login URL without TLS", edited("https://idp.example/sso", "http://idp.example/sso"), "sso_url"],
    ["without certificates", provider.metadata([]), "no_certificate"],
    ["with a key for encryption only", edited('use="signing"', 'use="encryption"'), "no_certificate"],
    ["with a certificate of 1,024 bits", provider.metadata([certificateWith(1_024)]), "weak_certificate"],
    ["with a certificate that is none", provider.metadata(["AAAA"]), "certificate_form"],
    [
      "with eleven certificates",
      provider.metadata(Array.from({ length: 11 }, (_, n) => `${n}AAA`)),
      "too_many_certificates"
    ]
  ])("SEC-298, SEC-299: is refused %s", (_what, xml, code) => {
    expect(read(xml)).toMatchObject({ code })
  })
})

import { execFileSync } from "node:child_process"
import { X509Certificate } from "node:crypto"
import { Effect, Layer, Result } from "effect"
import { expect, test } from "vitest"
import { Entropy } from "#platform/Entropy"
import { newSamlKeyPair } from "#platform/SamlKeyPair"
import { Signer } from "#platform/Signer"
import { type AuthnRequest, authnRequestUrl } from "#saml/AuthnRequest"
import { readCertificate } from "#saml/Certificate"
import { serviceProviderMetadata } from "#saml/ServiceProvider"
import { readXml } from "#saml/Xml"
import { ACS_URL, DAY, ENTITY_ID, NOW, ownKeys, provider } from "../support/saml.ts"

const request: AuthnRequest = {
  id: "_request",
  issuer: ENTITY_ID,
  destination: provider.ssoUrl,
  acsUrl: ACS_URL,
  issueInstant: NOW,
  forceAuthn: false,
  relayState: "state",
  privateKey: ownKeys.privateKey
}

const received = (changes: Partial<AuthnRequest> = {}) =>
  provider.readRequest(new URL(authnRequestUrl({ ...request, ...changes })), ownKeys.certificate)

test("a login request is signed and says who asks for what", () => {
  expect(received()).toEqual({
    id: "_request",
    issuer: ENTITY_ID,
    acsUrl: ACS_URL,
    relayState: "state",
    forceAuthn: false,
    xml: '<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_request" Version="2.0" IssueInstant="2026-06-01T12:00:00Z" Destination="https://idp.example/sso" AssertionConsumerServiceURL="https://login.example/sso/cn_1/acs" ProtocolBinding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"><saml:Issuer>https://login.example/sso/cn_1</saml:Issuer><samlp:NameIDPolicy AllowCreate="true"/></samlp:AuthnRequest>'
  })
})

test("a login request asks for a new login with an authentication context", () => {
  const { forceAuthn, xml } = received({ forceAuthn: true, requestedAuthnContext: ["urn:a", "urn:b?x&y"] })
  expect(forceAuthn).toBe(true)
  expect(xml).toContain(
    '<samlp:RequestedAuthnContext Comparison="exact"><saml:AuthnContextClassRef>urn:a</saml:AuthnContextClassRef><saml:AuthnContextClassRef>urn:b?x&amp;y</saml:AuthnContextClassRef></samlp:RequestedAuthnContext>'
  )
})

test("a login request keeps the parameters of the login URL, and escapes what it writes", () => {
  const url = authnRequestUrl({ ...request, destination: "https://idp.example/sso?tenant=a&b=1", issuer: 'a"><b>&' })
  expect(url).toMatch(/^https:\/\/idp\.example\/sso\?tenant=a&b=1&SAMLRequest=/)
  expect(provider.readRequest(new URL(url), ownKeys.certificate)).toMatchObject({ issuer: 'a"><b>&' })
})

test("the metadata of a service provider has its addresses, its keys and what it can decrypt", () => {
  const xml = serviceProviderMetadata({
    entityId: 'https://login.example/sso/"cn"',
    acsUrl: ACS_URL,
    signingCertificates: ["AAAA", "BBBB"],
    encryptionCertificates: ["CCCC"],
    validUntil: NOW
  })
  const root = readXml(xml, { elements: 100, comments: false })
  if (Result.isFailure(root)) throw new Error(root.failure)
  expect(root.success.attributes.get("entityID")).toBe('https://login.example/sso/"cn"')
  expect(root.success.attributes.get("validUntil")).toBe("2026-06-01T12:00:00Z")
  expect(xml.match(/(?<=<ds:X509Certificate>)\w+/g)).toEqual(["AAAA", "BBBB", "CCCC"])
  expect(xml.match(/<md:EncryptionMethod/g)).toHaveLength(6)
  expect(xml).toContain(`Location="${ACS_URL}"`)
})

test("a new key pair has a certificate that Node and OpenSSL read and verify", async () => {
  const options = { name: "Acme – SSO", notBefore: NOW, notAfter: NOW + 3_650 * DAY }
  const layers = Layer.provideMerge(Signer.layer, Entropy.layer)
  const { privateKey, certificate } = await Effect.runPromise(Effect.provide(newSamlKeyPair(options), layers))
  const parsed = new X509Certificate(Buffer.from(certificate, "base64"))
  expect(parsed.subject).toBe("CN=Acme – SSO")
  expect(parsed.verify(parsed.publicKey)).toBe(true)
  expect([parsed.validFromDate.getTime(), parsed.validToDate.getTime()]).toEqual([NOW, NOW + 3_650 * DAY])
  expect(Result.isSuccess(readCertificate(certificate))).toBe(true)
  expect(received({ privateKey: ownKeys.privateKey }).id).toBe("_request")
  expect(privateKey).toContain("BEGIN PRIVATE KEY")
  const printed = execFileSync("openssl", ["x509", "-noout", "-text", "-nameopt", "utf8"], { input: parsed.toString() })
  expect(printed.toString()).toMatch(/Version: 3 \(0x2\)[^]*Key Usage: critical\s+Digital Signature, Key Encipherment/)
})

test("a certificate after 2049 has a year of four digits", async () => {
  const options = { name: "x", notBefore: NOW, notAfter: Date.parse("2055-01-01T00:00:00Z") }
  const layers = Layer.provideMerge(Signer.layer, Entropy.layer)
  const { certificate } = await Effect.runPromise(Effect.provide(newSamlKeyPair(options), layers))
  expect(new X509Certificate(Buffer.from(certificate, "base64")).validToDate.toISOString()).toContain("2055-01-01")
})

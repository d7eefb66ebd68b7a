import { describe, expect, test } from "vitest"
import { SamlRefused } from "#domain/SamlRefused"
import type { SamlResponse } from "#testing/SamlProvider"
import {
  expectations,
  goodResponse,
  NOW,
  outcomeOf,
  ownKeys,
  provider,
  readEncoded,
  samlKeys
} from "../support/saml.ts"

const MINUTE = 60_000

const encryption = { certificate: ownKeys.certificate }

describe("a response", () => {
  test.each<readonly [string, Partial<SamlResponse>]>([
    ["a signed assertion", {}],
    ["a signed response", { signed: "response" }],
    ["both signed", { signed: "both" }],
    ["a signed assertion that is encrypted", { encryption }],
    ["an encrypted assertion in a signed response", { signed: "response", encryption }],
    ["both signed, with an encrypted assertion", { signed: "both", encryption }],
    ["AES-128-GCM and OAEP with SHA-256", { encryption: { ...encryption, cipher: "aes-128-gcm", digest: "sha256" } }],
    ["AES-256-CBC", { encryption: { ...encryption, cipher: "aes-256-cbc" } }],
    ["AES-128-CBC in a signed response", { signed: "response", encryption: { ...encryption, cipher: "aes-128-cbc" } }],
    [
      "SHA-512",
      {
        signer: {
          signatureAlgorithm: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512",
          digestAlgorithm: "http://www.w3.org/2001/04/xmlenc#sha512"
        }
      }
    ],
    ["RSA-PSS", { signer: { signatureAlgorithm: "http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1" } }],
    ["signed prefixes", { signer: { prefixes: ["xs", "saml"] } }]
  ])("is accepted with %s", async (_what, response) => {
    const xml = provider.respondXml({ ...goodResponse, ...response })
    expect(await outcomeOf(xml)).toBe("accepted ada-1")
  })

  test("returns what the assertion says, and the passed checks", async () => {
    const login = await readEncoded(
      provider.respond({ ...goodResponse, assertionId: "_a", sessionNotOnOrAfter: NOW + 60 * MINUTE })
    )
    expect(login).toEqual({
      assertionId: "_a",
      notOnOrAfter: NOW + 6 * MINUTE,
      nameId: "ada-1",
      nameIdFormat: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
      sessionIndex: "_s1",
      sessionNotOnOrAfter: NOW + 60 * MINUTE,
      authnContextClass: "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport",
      authnInstant: NOW,
      attributes: { email: ["ada@acme.example"], groups: ["staff", "admins"] },
      inResponseTo: "_request",
      passed: expect.arrayContaining(["signature", "audience", "recipient", "not_on_or_after"])
    })
  })

  test("is accepted with the second of two certificates, and with the second decryption key", async () => {
    const certificates = [samlKeys(3).certificate, provider.signer.certificate]
    const decryptionKeys = [samlKeys(3).privateKey, ownKeys.privateKey]
    const xml = provider.respondXml({ ...goodResponse, encryption })
    expect(await outcomeOf(xml, { certificates, decryptionKeys })).toBe("accepted ada-1")
  })

  test("is accepted with a request's ID or unsolicited, but never one for the other", async () => {
    const unsolicited = provider.respondXml({ ...goodResponse, inResponseTo: "" })
    expect(await outcomeOf(unsolicited, { expectedRequestId: "unsolicited" })).toBe("accepted ada-1")
    expect(await outcomeOf(unsolicited)).toBe("in_response_to")
    expect(await outcomeOf(provider.respondXml(goodResponse), { expectedRequestId: "unsolicited" })).toBe(
      "in_response_to"
    )
  })

  test("shows what was expected and found when it is refused", async () => {
    const refused = await readEncoded(provider.respond({ ...goodResponse, audience: "https://other.example" }))
    if (!(refused instanceof SamlRefused)) throw new Error("The response is accepted.")
    const { check, expected, found, passed } = refused
    expect({ check, expected, found }).toEqual({
      check: "audience",
      expected: expectations.spEntityId,
      found: "https://other.example"
    })
    expect(passed).toEqual(expect.arrayContaining(["signature", "destination", "not_on_or_after"]))
    expect(passed).not.toContain("audience")
  })
})

import { createHmac } from "node:crypto"
import { describe, expect, test } from "vitest"
import { base64, outcomeOf, ownKeys, provider, readEncoded, samlKeys } from "../support/saml.ts"
import { edit, partOf, type Row, respond, signature, signedAssertion } from "../support/samlAttacks.ts"

const changedSignature = (from: string | RegExp, to: string): string => edit(signedAssertion, from, to)

const signatures: ReadonlyArray<Row> = [
  ["without any signature", respond({ signed: "nothing" }), "signature_missing"],
  [
    "without a signature inside of the encryption",
    respond({ signed: "nothing", encryption: { certificate: ownKeys.certificate } }),
    "signature_missing"
  ],
  [
    "without a signature inside of CBC",
    respond({ signed: "nothing", encryption: { certificate: ownKeys.certificate, cipher: "aes-256-cbc" } }),
    "decryption"
  ],
  ["with the key of the message", respond({ signer: samlKeys(2) }), "signature"],
  [
    "with the provider's certificate and another key",
    respond({ signer: { privateKey: samlKeys(2).privateKey } }),
    "signature"
  ],
  ["with a changed name", changedSignature("ada-1", "root"), "signature"],
  [
    "with SHA-1",
    respond({ signer: { signatureAlgorithm: "http://www.w3.org/2000/09/xmldsig#rsa-sha1" } }),
    "algorithm"
  ],
  [
    "with a digest of SHA-1",
    respond({ signer: { digestAlgorithm: "http://www.w3.org/2000/09/xmldsig#sha1" } }),
    "algorithm"
  ],
  [
    "with inclusive canonicalization",
    respond({ signer: { canonicalization: "http://www.w3.org/TR/2001/REC-xml-c14n-20010315" } }),
    "algorithm"
  ],
  [
    "with HMAC and the certificate as its secret",
    changedSignature(
      "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
      "http://www.w3.org/2000/09/xmldsig#hmac-sha1"
    ).replace(
      /(?<=<ds:SignatureValue>)[^<]+/,
      createHmac("sha1", provider.signer.certificate)
        .update(partOf(signature, /<ds:SignedInfo>.*<\/ds:SignedInfo>/s))
        .digest("base64")
    ),
    "algorithm"
  ],
  ["with an unknown algorithm", changedSignature("xmldsig-more#rsa-sha256", "xmldsig-more#none"), "algorithm"],
  ["with a reference to the whole document", changedSignature('URI="#_a"', 'URI=""'), "signature_form"],
  ["with a reference to a file", changedSignature('URI="#_a"', 'URI="file:///etc/passwd"'), "signature_form"],
  [
    "with two references",
    changedSignature(
      /<ds:Reference .*<\/ds:Reference>/s,
      partOf(signature, /<ds:Reference .*<\/ds:Reference>/s).repeat(2)
    ),
    "signature_form"
  ],
  [
    "with a transform in XSLT",
    changedSignature(
      "</ds:Transforms>",
      '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"/></ds:Transforms>'
    ),
    "signature_form"
  ],
  [
    "without a transform that removes the signature",
    changedSignature("xmldsig#enveloped-signature", "xmldsig#base64"),
    "algorithm"
  ],
  [
    "with two SignedInfo (CVE-2025-29774)",
    changedSignature("</ds:SignedInfo>", `</ds:SignedInfo>${partOf(signature, /<ds:SignedInfo>.*<\/ds:SignedInfo>/s)}`),
    "signature_form"
  ],
  [
    "with a comment in the digest (CVE-2025-29775)",
    changedSignature("<ds:DigestValue>", "<ds:DigestValue><!-- x -->"),
    "comment"
  ],
  [
    "with the digest of nothing, and a namespace that isn't absolute (CVE-2025-66568)",
    edit(
      changedSignature(/(?<=<ds:DigestValue>)[^<]+/, "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="),
      "<saml:Subject>",
      '<saml:Subject xmlns:ns="1">'
    ),
    "signature"
  ],
  ["with an empty signature", changedSignature(/(?<=<ds:SignatureValue>)[^<]+/, ""), "signature"]
]

test.each(signatures)("SEC-298: refuses a response %s", async (_what, xml, check) => {
  expect(await outcomeOf(xml)).toBe(check)
})

describe("SEC-298: keys", () => {
  test("in the message are never used", async () => {
    const { certificate } = samlKeys(2)
    const swapped = signedAssertion.replaceAll(provider.signer.certificate, certificate)
    expect(swapped).not.toBe(signedAssertion)
    expect(await outcomeOf(swapped)).toBe("accepted ada-1")
    expect(await outcomeOf(swapped, { certificates: [certificate] })).toBe("signature")
  })

  test("are required: nothing is accepted without a certificate", async () => {
    expect(await outcomeOf(signedAssertion, { certificates: [] })).toBe("signature")
  })
})

describe("SEC-301: a changed ciphertext", () => {
  const encrypted = respond({ encryption: { certificate: ownKeys.certificate, cipher: "aes-128-cbc" } })
  const values = [...encrypted.matchAll(/<xenc:CipherValue>([^<]+)/g)]
  const sealed = Buffer.from(values.at(-1)?.[1] ?? "", "base64")

  /** Replaces the encrypted content. */
  const withContent = (content: Uint8Array): string => encrypted.replace(sealed.toString("base64"), base64(content))

  test("is refused the same way, whatever it decrypts to", async () => {
    const flipped = Array.from({ length: 64 }, (_, n) => {
      const changed = Buffer.from(sealed.subarray(0, 16 * (2 + (n % 8))))
      const at = changed.length - 17
      changed[at] = (changed[at] ?? 0) ^ (n + 1)
      return changed
    })
    const found = new Set<string>()
    for (const content of [...flipped, sealed.subarray(0, -1), sealed.subarray(0, 16), Buffer.alloc(32)]) {
      const refused = await readEncoded(base64(withContent(content)))
      found.add(JSON.stringify(refused))
    }
    expect(found.size).toBe(1)
    expect([...found][0]).toContain('"check":"decryption"')
    expect(await outcomeOf(encrypted)).toBe("accepted ada-1")
  })

  test("of a signed response is refused by its signature", async () => {
    const signed = respond({
      signed: "response",
      encryption: { certificate: ownKeys.certificate, cipher: "aes-256-cbc" }
    })
    expect(
      await outcomeOf(edit(signed, /.(?=<\/xenc:CipherValue><\/xenc:CipherData><\/xenc:EncryptedData>)/, ""))
    ).toBe("signature")
  })
})

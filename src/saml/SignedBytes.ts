import { X509Certificate } from "node:crypto"
import { DOMParser } from "@xmldom/xmldom"
import { SignedXml } from "xml-crypto"
import { ENVELOPED_SIGNATURE, EXCLUSIVE_C14N } from "./Names.ts"
import { digestAlgorithms, signatureAlgorithms } from "./SignatureForm.ts"
import type { XmlNode } from "./XmlDom.d.ts"

const parser = new DOMParser({
  errorHandler: (_level, message) => {
    throw new Error(message)
  }
})

const childOf = (parent: XmlNode | null | undefined, name: string): XmlNode | undefined =>
  Array.from(parent?.childNodes ?? []).find((child) => child.localName === name)

/** Leaves out what isn't accepted, so that the library can't choose it. */
const only = <A>(all: Readonly<Record<string, A>>, accepted: ReadonlySet<string>): Record<string, A> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => accepted.has(name)))

const transforms = new Set([ENVELOPED_SIGNATURE, EXCLUSIVE_C14N])

const verifierFor = (certificate: string): SignedXml => {
  const { publicKey } = new X509Certificate(Buffer.from(certificate, "base64"))
  const publicCert = publicKey.export({ type: "spki", format: "pem" })
  const verifier = new SignedXml({ publicCert, getCertFromKeyInfo: () => null })
  verifier.idAttributes = ["ID"]
  verifier.CanonicalizationAlgorithms = only(verifier.CanonicalizationAlgorithms, transforms)
  verifier.HashAlgorithms = only(verifier.HashAlgorithms, digestAlgorithms)
  verifier.SignatureAlgorithms = only(verifier.SignatureAlgorithms, signatureAlgorithms)
  return verifier
}

/** Which element of a document is verified: the root, or an assertion in it. */
export type SignedPlace = "root" | "assertion"

/**
 * Verifies the signature in an element with one of the certificates (DER as base64), and returns the bytes that were signed, as text:
 * the element in canonical form without its signature. Returns undefined if no certificate verifies it. The document and the form of
 * the signature must have been checked.
 */
export const signedBytes = (
  text: string,
  place: SignedPlace,
  certificates: ReadonlyArray<string>
): string | undefined => {
  for (const certificate of certificates) {
    try {
      const { documentElement: root } = parser.parseFromString(text, "text/xml")
      const signature = childOf(place === "root" ? root : childOf(root, "Assertion"), "Signature")
      const verifier = verifierFor(certificate)
      if (signature === undefined) return undefined
      verifier.loadSignature(signature)
      const [signed, other] = verifier.checkSignature(text) ? verifier.getSignedReferences() : []
      if (signed !== undefined && other === undefined) return signed
    } catch {
      // The library throws when a signature is wrong. Another certificate may verify it.
    }
  }
  return undefined
}

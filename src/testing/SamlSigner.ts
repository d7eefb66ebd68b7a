import { constants, createCipheriv, generateKeySync, publicEncrypt, X509Certificate } from "node:crypto"
import { SignedXml } from "xml-crypto"

/** A key that signs, and how. The certificate is in DER as base64. */
export interface SamlSigner {
  readonly privateKey: string
  readonly certificate: string
  /** Default: RSA with SHA-256. */
  readonly signatureAlgorithm?: string
  /** Default: SHA-256. */
  readonly digestAlgorithm?: string
  /** Default: exclusive without comments, for the signature and for what it signs. */
  readonly canonicalization?: string
  /** The prefixes whose namespaces are signed even where they aren't used. */
  readonly prefixes?: ReadonlyArray<string>
}

/** Signs the element with an ID in an XML document. The signature follows the element's issuer, as SAML requires. */
export const signXml = (xml: string, id: string, signer: SamlSigner): string => {
  const canonicalization = signer.canonicalization ?? "http://www.w3.org/2001/10/xml-exc-c14n#"
  const signed = new SignedXml({
    privateKey: signer.privateKey,
    publicCert: `-----BEGIN CERTIFICATE-----\n${signer.certificate}\n-----END CERTIFICATE-----`,
    signatureAlgorithm: signer.signatureAlgorithm ?? "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
    canonicalizationAlgorithm: canonicalization
  })
  const element = `//*[@ID='${id}']`
  signed.addReference({
    xpath: element,
    digestAlgorithm: signer.digestAlgorithm ?? "http://www.w3.org/2001/04/xmlenc#sha256",
    transforms: ["http://www.w3.org/2000/09/xmldsig#enveloped-signature", canonicalization],
    inclusiveNamespacesPrefixList: [...(signer.prefixes ?? [])]
  })
  const location = { reference: `${element}/*[local-name(.)='Issuer']`, action: "after" } as const
  signed.computeSignature(xml, { prefix: "ds", location })
  return signed.getSignedXml()
}

/** How an assertion is encrypted. */
export interface SamlEncryption {
  /** The certificate of the recipient in DER as base64. */
  readonly certificate: string
  /** Default: AES-256-GCM. */
  readonly cipher?: "aes-256-gcm" | "aes-128-gcm" | "aes-256-cbc" | "aes-128-cbc"
  /** The digest of RSA-OAEP. Default: SHA-1, as most providers use it. */
  readonly digest?: "sha1" | "sha256"
}

const xmlenc = "http://www.w3.org/2001/04/xmlenc#"
const xmlenc11 = "http://www.w3.org/2009/xmlenc11#"

const keyMethod = (digest: "sha1" | "sha256"): string =>
  digest === "sha1"
    ? `<xenc:EncryptionMethod Algorithm="${xmlenc}rsa-oaep-mgf1p"/>`
    : `<xenc:EncryptionMethod Algorithm="${xmlenc11}rsa-oaep"><ds:DigestMethod Algorithm="${xmlenc}sha256"/><xenc11:MGF xmlns:xenc11="${xmlenc11}" Algorithm="${xmlenc11}mgf1sha256"/></xenc:EncryptionMethod>`

/** Encrypts an assertion, and returns the `EncryptedAssertion` with the key in it. */
export const encryptXml = (assertion: string, encryption: SamlEncryption): string => {
  const { cipher = "aes-256-gcm", digest = "sha1", certificate } = encryption
  const isGcm = cipher === "aes-256-gcm" || cipher === "aes-128-gcm"
  const key = generateKeySync("aes", { length: cipher.includes("256") ? 256 : 128 }).export()
  // Each key encrypts only once, so its vector may be constant.
  const vector = Buffer.alloc(isGcm ? 12 : 16)
  const parts: Array<Buffer> = [vector]
  if (isGcm) {
    const sealing = createCipheriv(cipher, key, vector)
    parts.push(sealing.update(assertion), sealing.final(), sealing.getAuthTag())
  } else {
    const sealing = createCipheriv(cipher, key, vector)
    parts.push(sealing.update(assertion), sealing.final())
  }
  const { publicKey } = new X509Certificate(Buffer.from(certificate, "base64"))
  const wrapped = publicEncrypt({ key: publicKey, oaepHash: digest, padding: constants.RSA_PKCS1_OAEP_PADDING }, key)
  const algorithm = `${isGcm ? xmlenc11 : xmlenc}${cipher.replace("-", "")}`
  const value = (bytes: Buffer) =>
    `<xenc:CipherData><xenc:CipherValue>${bytes.toString("base64")}</xenc:CipherValue></xenc:CipherData>`
  const encryptedKey = `<xenc:EncryptedKey>${keyMethod(digest)}${value(wrapped)}</xenc:EncryptedKey>`
  return `<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"><xenc:EncryptedData xmlns:xenc="${xmlenc}" Type="${xmlenc}Element"><xenc:EncryptionMethod Algorithm="${algorithm}"/><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">${encryptedKey}</ds:KeyInfo>${value(Buffer.concat(parts))}</xenc:EncryptedData></saml:EncryptedAssertion>`
}

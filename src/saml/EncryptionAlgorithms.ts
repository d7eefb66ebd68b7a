/** How the content of an encrypted assertion is decrypted. The first bytes are the initialization vector. */
interface ContentAlgorithm {
  readonly cipher: "aes-128-gcm" | "aes-256-gcm" | "aes-128-cbc" | "aes-256-cbc"
  readonly keyLength: 16 | 32
  readonly vectorLength: 12 | 16
}

/** The accepted algorithms for the content of an encrypted assertion, the best ones first. */
export const contentAlgorithms: ReadonlyMap<string, ContentAlgorithm> = new Map([
  ["http://www.w3.org/2009/xmlenc11#aes256-gcm", { cipher: "aes-256-gcm", keyLength: 32, vectorLength: 12 }],
  ["http://www.w3.org/2009/xmlenc11#aes128-gcm", { cipher: "aes-128-gcm", keyLength: 16, vectorLength: 12 }],
  ["http://www.w3.org/2001/04/xmlenc#aes256-cbc", { cipher: "aes-256-cbc", keyLength: 32, vectorLength: 16 }],
  ["http://www.w3.org/2001/04/xmlenc#aes128-cbc", { cipher: "aes-128-cbc", keyLength: 16, vectorLength: 16 }]
])

/** RSA-OAEP of XML Encryption 1.0, with MGF1 and SHA-1. */
export const RSA_OAEP_MGF1P = "http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p"

/** RSA-OAEP of XML Encryption 1.1, with a choice of digests. */
export const RSA_OAEP = "http://www.w3.org/2009/xmlenc11#rsa-oaep"

/** The accepted algorithms for the key of an encrypted assertion. PKCS #1 v1.5 is not among them. */
export const keyAlgorithms: ReadonlyArray<string> = [RSA_OAEP, RSA_OAEP_MGF1P]

/** The digests of RSA-OAEP. SHA-1 is not weak here, since OAEP doesn't depend on resistance to collisions. */
export const oaepDigests: ReadonlyMap<string, string> = new Map([
  ["http://www.w3.org/2000/09/xmldsig#sha1", "sha1"],
  ["http://www.w3.org/2001/04/xmlenc#sha256", "sha256"],
  ["http://www.w3.org/2001/04/xmlenc#sha512", "sha512"]
])

/** The mask generation functions of RSA-OAEP, by the digests that they use. */
export const maskFunctions: ReadonlyMap<string, string> = new Map([
  ["http://www.w3.org/2009/xmlenc11#mgf1sha1", "sha1"],
  ["http://www.w3.org/2009/xmlenc11#mgf1sha256", "sha256"],
  ["http://www.w3.org/2009/xmlenc11#mgf1sha512", "sha512"]
])

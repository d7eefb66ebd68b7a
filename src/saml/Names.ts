/** The XML namespaces of SAML 2.0 and of the standards that it uses. */
export const namespaces = {
  assertion: "urn:oasis:names:tc:SAML:2.0:assertion",
  protocol: "urn:oasis:names:tc:SAML:2.0:protocol",
  metadata: "urn:oasis:names:tc:SAML:2.0:metadata",
  signature: "http://www.w3.org/2000/09/xmldsig#",
  encryption: "http://www.w3.org/2001/04/xmlenc#",
  encryption11: "http://www.w3.org/2009/xmlenc11#"
} as const

/** The HTTP-Redirect binding, by which requests are sent. */
export const REDIRECT_BINDING = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"

/** The HTTP-POST binding, by which responses arrive. */
export const POST_BINDING = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"

/** The method of a subject confirmation that anyone with the assertion can use. */
export const BEARER = "urn:oasis:names:tc:SAML:2.0:cm:bearer"

/** The status of a successful response. */
export const SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success"

/** Exclusive XML canonicalization without comments. */
export const EXCLUSIVE_C14N = "http://www.w3.org/2001/10/xml-exc-c14n#"

/** The transform that removes a signature from the element that contains it. */
export const ENVELOPED_SIGNATURE = "http://www.w3.org/2000/09/xmldsig#enveloped-signature"

/** RSASSA-PKCS1-v1_5 with SHA-256. */
export const RSA_SHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"

/** SHA-256. */
export const SHA256 = "http://www.w3.org/2001/04/xmlenc#sha256"

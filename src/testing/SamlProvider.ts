import { createVerify, X509Certificate } from "node:crypto"
import { inflateRawSync } from "node:zlib"
import { encryptXml, type SamlEncryption, type SamlSigner, signXml } from "./SamlSigner.ts"

/** Who logs in at the provider. */
export interface SamlPerson {
  readonly nameId: string
  readonly nameIdFormat?: string
  readonly attributes?: Readonly<Record<string, ReadonlyArray<string>>>
}

/** What a response contains. Everything has a default that a service provider accepts. Empty strings leave members out. */
export interface SamlResponse {
  readonly person: SamlPerson
  readonly acsUrl: string
  /** The entity ID of the service provider. */
  readonly audience: string
  /** The ID of the request. Empty: a login that the provider begins. */
  readonly inResponseTo: string
  readonly signed?: "assertion" | "response" | "both" | "nothing"
  readonly encryption?: SamlEncryption
  readonly signer?: Partial<SamlSigner>
  readonly issuer?: string
  readonly responseIssuer?: string
  readonly destination?: string
  readonly recipient?: string
  /** The ID of the request that the assertion names. */
  readonly confirmedRequest?: string
  readonly status?: string
  readonly authnContext?: string
  readonly sessionIndex?: string
  readonly responseId?: string
  readonly assertionId?: string
  /** In Unix milliseconds. */
  readonly issueInstant?: number
  readonly authnInstant?: number
  readonly notBefore?: number
  readonly notOnOrAfter?: number
  readonly confirmationNotOnOrAfter?: number
  readonly sessionNotOnOrAfter?: number
  /** Changes the assertion before it is signed. */
  readonly editAssertion?: (xml: string) => string
  /** Changes the response before it is signed, when the assertion in it is signed and encrypted. */
  readonly editResponse?: (xml: string) => string
}

/** A login request that a service provider has sent by a redirect. */
export interface SamlRequest {
  readonly id: string
  readonly issuer: string
  readonly acsUrl: string
  readonly relayState: string
  readonly forceAuthn: boolean
  readonly xml: string
}

const MINUTE = 60_000

const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

const unescapeXml = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&")

const instant = (millis: number): string => new Date(millis).toISOString()

/** Writes attributes, without those that are empty. */
const written = (attributes: Readonly<Record<string, string>>): string =>
  Object.entries(attributes)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => ` ${name}="${escapeXml(value)}"`)
    .join("")

const attributeStatement = (attributes: Readonly<Record<string, ReadonlyArray<string>>> = {}): string => {
  const all = Object.entries(attributes).map(([name, values]) => {
    const texts = values.map((value) => `<saml:AttributeValue>${escapeXml(value)}</saml:AttributeValue>`)
    return `<saml:Attribute Name="${escapeXml(name)}">${texts.join("")}</saml:Attribute>`
  })
  return all.length === 0 ? "" : `<saml:AttributeStatement>${all.join("")}</saml:AttributeStatement>`
}

let count = 0

/**
 * A scripted identity provider for SAML 2.0. It writes, signs and encrypts responses by itself, so that it can also write those that
 * no real provider would.
 */
export class SamlProvider {
  readonly entityId: string
  readonly ssoUrl: string
  readonly signer: SamlSigner
  readonly #time: () => number

  /** `time` returns Unix milliseconds. */
  constructor(signer: SamlSigner, time: () => number, entityId = "https://idp.example/metadata") {
    this.signer = signer
    this.#time = time
    this.entityId = entityId
    this.ssoUrl = new URL("/sso", entityId).href
  }

  /** The provider's metadata, with the certificates of current and future keys. */
  metadata(certificates: ReadonlyArray<string> = [this.signer.certificate]): string {
    const keys = certificates.map(
      (certificate) =>
        `<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`
    )
    return `<?xml version="1.0"?><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${escapeXml(this.entityId)}"><md:IDPSSODescriptor WantAuthnRequestsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${keys.join("")}<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${escapeXml(this.ssoUrl)}"/></md:IDPSSODescriptor></md:EntityDescriptor>`
  }

  /**
   * Reads a login request from the URL to which the browser was sent, and verifies its signature with the service provider's
   * certificate (DER as base64).
   */
  readRequest(url: URL, certificate: string): SamlRequest {
    const parameter = (name: string) => url.searchParams.get(name) ?? ""
    const [signed = ""] = url.search.slice(url.search.indexOf("SAMLRequest=")).split("&Signature=")
    const { publicKey } = new X509Certificate(Buffer.from(certificate, "base64"))
    const isSigned = createVerify("RSA-SHA256").update(signed).verify(publicKey, parameter("Signature"), "base64")
    if (!isSigned) throw new Error("The signature of the login request is wrong.")
    const xml = inflateRawSync(Buffer.from(parameter("SAMLRequest"), "base64")).toString()
    const attribute = (name: string) => unescapeXml(new RegExp(` ${name}="([^"]*)"`).exec(xml)?.[1] ?? "")
    return {
      id: attribute("ID"),
      issuer: unescapeXml(/<saml:Issuer>([^<]*)</.exec(xml)?.[1] ?? ""),
      acsUrl: attribute("AssertionConsumerServiceURL"),
      relayState: parameter("RelayState"),
      forceAuthn: attribute("ForceAuthn") === "true",
      xml
    }
  }

  /** Returns the form field `SAMLResponse`. */
  respond(response: SamlResponse): string {
    return Buffer.from(this.respondXml(response)).toString("base64")
  }

  /** Returns a response as XML. */
  respondXml(response: SamlResponse): string {
    const { signed = "assertion", editAssertion = (xml) => xml, editResponse = (xml) => xml } = response
    const signer = { ...this.signer, ...response.signer }
    const serial = ++count
    const ids = { response: response.responseId ?? `_r${serial}`, assertion: response.assertionId ?? `_a${serial}` }
    const unsigned = editAssertion(this.#assertion(response, ids.assertion))
    const isAssertionSigned = signed === "assertion" || signed === "both"
    const assertion = isAssertionSigned ? signXml(unsigned, ids.assertion, signer) : unsigned
    const content = response.encryption === undefined ? assertion : encryptXml(assertion, response.encryption)
    const xml = editResponse(this.#response(response, ids.response, content))
    return signed === "response" || signed === "both" ? signXml(xml, ids.response, signer) : xml
  }

  #response(response: SamlResponse, id: string, content: string): string {
    const attributes = written({
      ID: id,
      Version: "2.0",
      IssueInstant: instant(response.issueInstant ?? this.#time()),
      Destination: response.destination ?? response.acsUrl,
      InResponseTo: response.inResponseTo
    })
    const { status = "urn:oasis:names:tc:SAML:2.0:status:Success", responseIssuer = this.entityId } = response
    return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"${attributes}><saml:Issuer>${escapeXml(responseIssuer)}</saml:Issuer><samlp:Status><samlp:StatusCode Value="${escapeXml(status)}"/></samlp:Status>${content}</samlp:Response>`
  }

  #assertion(response: SamlResponse, id: string): string {
    const now = this.#time()
    const { person, issuer = this.entityId, notOnOrAfter = now + 5 * MINUTE } = response
    const confirmation = written({
      Recipient: response.recipient ?? response.acsUrl,
      NotOnOrAfter: instant(response.confirmationNotOnOrAfter ?? notOnOrAfter),
      InResponseTo: response.confirmedRequest ?? response.inResponseTo
    })
    const conditions = written({
      NotBefore: instant(response.notBefore ?? now - MINUTE),
      NotOnOrAfter: instant(notOnOrAfter)
    })
    const { sessionNotOnOrAfter } = response
    const authn = written({
      AuthnInstant: instant(response.authnInstant ?? now),
      SessionIndex: response.sessionIndex ?? "_s1",
      SessionNotOnOrAfter: sessionNotOnOrAfter === undefined ? "" : instant(sessionNotOnOrAfter)
    })
    const context = response.authnContext ?? "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport"
    const attributes = written({ ID: id, Version: "2.0", IssueInstant: instant(response.issueInstant ?? now) })
    const format = person.nameIdFormat ?? "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"
    return `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"${attributes}><saml:Issuer>${escapeXml(issuer)}</saml:Issuer><saml:Subject><saml:NameID Format="${escapeXml(format)}">${escapeXml(person.nameId)}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData${confirmation}/></saml:SubjectConfirmation></saml:Subject><saml:Conditions${conditions}><saml:AudienceRestriction><saml:Audience>${escapeXml(response.audience)}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement${authn}><saml:AuthnContext><saml:AuthnContextClassRef>${escapeXml(context)}</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>${attributeStatement(person.attributes)}</saml:Assertion>`
  }
}

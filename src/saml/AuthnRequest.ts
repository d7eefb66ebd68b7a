import { sign } from "node:crypto"
import { deflateRawSync } from "node:zlib"
import { namespaces, POST_BINDING, RSA_SHA256 } from "./Names.ts"
import { formatInstant } from "./Times.ts"
import { escapeXml } from "./XmlText.ts"

/** A request to log somebody in. */
export interface AuthnRequest {
  /** An XML name, so it must not begin with a digit. */
  readonly id: string
  /** The entity ID of the service provider. */
  readonly issuer: string
  /** The identity provider's `ssoUrl`. */
  readonly destination: string
  readonly acsUrl: string
  /** In Unix milliseconds. */
  readonly issueInstant: number
  /** Whether the user must prove who they are again, even if they are logged in at the provider. */
  readonly forceAuthn: boolean
  /** The acceptable authentication contexts, if not all are. */
  readonly requestedAuthnContext?: ReadonlyArray<string>
  /** Comes back with the response. At most 80 bytes. */
  readonly relayState: string
  /** The private key in PEM. */
  readonly privateKey: string
}

const contextsOf = (contexts: ReadonlyArray<string>): string => {
  if (contexts.length === 0) return ""
  const classes = contexts.map(
    (context) => `<saml:AuthnContextClassRef>${escapeXml(context)}</saml:AuthnContextClassRef>`
  )
  return `<samlp:RequestedAuthnContext Comparison="exact">${classes.join("")}</samlp:RequestedAuthnContext>`
}

const xmlOf = (request: AuthnRequest): string => {
  const attributes = {
    "xmlns:samlp": namespaces.protocol,
    "xmlns:saml": namespaces.assertion,
    ID: request.id,
    Version: "2.0",
    IssueInstant: formatInstant(request.issueInstant),
    Destination: request.destination,
    ...(request.forceAuthn ? { ForceAuthn: "true" } : {}),
    AssertionConsumerServiceURL: request.acsUrl,
    ProtocolBinding: POST_BINDING
  }
  const written = Object.entries(attributes).map(([name, value]) => `${name}="${escapeXml(value)}"`)
  return `<samlp:AuthnRequest ${written.join(" ")}><saml:Issuer>${escapeXml(request.issuer)}</saml:Issuer><samlp:NameIDPolicy AllowCreate="true"/>${contextsOf(request.requestedAuthnContext ?? [])}</samlp:AuthnRequest>`
}

/**
 * Returns the URL that sends a login request to an identity provider: the HTTP-Redirect binding (SAML 2.0 bindings, 3.4). It is signed
 * with RSA and SHA-256. Parameters in `destination` are kept.
 */
export const authnRequestUrl = (request: AuthnRequest): string => {
  const parameters = {
    SAMLRequest: deflateRawSync(xmlOf(request)).toString("base64"),
    RelayState: request.relayState,
    SigAlg: RSA_SHA256
  }
  // The signature covers the parameters in this order, exactly as they are encoded in the URL.
  const signed = Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&")
  const signature = sign("sha256", Buffer.from(signed), request.privateKey).toString("base64")
  const separator = request.destination.includes("?") ? "&" : "?"
  return `${request.destination}${separator}${signed}&Signature=${encodeURIComponent(signature)}`
}

import { contentAlgorithms, keyAlgorithms } from "./EncryptionAlgorithms.ts"
import { namespaces, POST_BINDING } from "./Names.ts"
import { formatInstant } from "./Times.ts"
import { escapeXml } from "./XmlText.ts"

/** How a service provider describes itself to an identity provider. */
export interface ServiceProvider {
  readonly entityId: string
  /** The address to which responses are posted. */
  readonly acsUrl: string
  /** Certificates in DER as base64. During a change of keys there are two. */
  readonly signingCertificates: ReadonlyArray<string>
  readonly encryptionCertificates: ReadonlyArray<string>
  /** In Unix milliseconds. */
  readonly validUntil: number
}

const encryptionMethods = [...contentAlgorithms.keys(), ...keyAlgorithms]
  .map((algorithm) => `\n      <md:EncryptionMethod Algorithm="${algorithm}"/>`)
  .join("")

const keyDescriptor = (use: "signing" | "encryption", certificate: string): string => `
    <md:KeyDescriptor use="${use}">
      <ds:KeyInfo>
        <ds:X509Data>
          <ds:X509Certificate>${escapeXml(certificate)}</ds:X509Certificate>
        </ds:X509Data>
      </ds:KeyInfo>${use === "encryption" ? encryptionMethods : ""}
    </md:KeyDescriptor>`

/** Writes the metadata of a service provider, which administrators upload at their identity provider. */
export const serviceProviderMetadata = (provider: ServiceProvider): string => {
  const keys = [
    ...provider.signingCertificates.map((certificate) => keyDescriptor("signing", certificate)),
    ...provider.encryptionCertificates.map((certificate) => keyDescriptor("encryption", certificate))
  ]
  return `<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="${namespaces.metadata}" xmlns:ds="${namespaces.signature}" entityID="${escapeXml(provider.entityId)}" validUntil="${formatInstant(provider.validUntil)}">
  <md:SPSSODescriptor AuthnRequestsSigned="true" WantAssertionsSigned="true" protocolSupportEnumeration="${namespaces.protocol}">${keys.join("")}
    <md:NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:persistent</md:NameIDFormat>
    <md:NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</md:NameIDFormat>
    <md:NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified</md:NameIDFormat>
    <md:AssertionConsumerService Binding="${POST_BINDING}" Location="${escapeXml(provider.acsUrl)}" index="0" isDefault="true"/>
  </md:SPSSODescriptor>
</md:EntityDescriptor>
`
}

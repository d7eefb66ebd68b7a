import { Result } from "effect"
import { pageUrlProblem, URL_LENGTH } from "#domain/WebUrl"
import {
  type CertificateProblem,
  readCertificate,
  type SigningCertificate,
  type ValidityWarning,
  validityWarning
} from "./Certificate.ts"
import { namespaces, REDIRECT_BINDING } from "./Names.ts"
import { parseInstant } from "./Times.ts"
import { childrenOf, elementsOf, readXml, type XmlElement, type XmlProblem } from "./Xml.ts"

/** What a service provider needs to know about an identity provider. */
export interface IdpMetadata {
  readonly entityId: string
  /** The address to which login requests are sent by redirects. */
  readonly ssoUrl: string
  /** The certificates for signatures. During a change of keys there are two. */
  readonly certificates: ReadonlyArray<SigningCertificate>
  /** When the metadata expires, in Unix milliseconds, or null if it doesn't say. */
  readonly validUntil: number | null
  readonly wantsSignedRequests: boolean
  /** What works, but that an administrator should know. `value` is a certificate's fingerprint. */
  readonly warnings: ReadonlyArray<{
    readonly code: ValidityWarning | CertificateProblem
    readonly value: string
  }>
}

/** Why metadata can't be used. */
export type MetadataProblemCode =
  | XmlProblem
  | CertificateProblem
  | "html"
  | "not_metadata"
  | "entity_id"
  | "several_providers"
  | "unknown_provider"
  | "no_provider"
  | "expired"
  | "no_redirect_binding"
  | "sso_url"
  | "no_certificate"
  | "too_many_certificates"

/** A problem of metadata, with the values that explain it, such as the entity IDs to choose from. */
export interface MetadataProblem {
  readonly code: MetadataProblemCode
  readonly values: ReadonlyArray<string>
}

/** How metadata is read. */
export interface MetadataOptions {
  /** The current time in Unix milliseconds. */
  readonly now: number
  /** Chooses one of several providers. */
  readonly entityId?: string
}

/** The maximum size of a metadata document, in characters. */
export const MAX_METADATA = 1_048_576

const MAX_ELEMENTS = 50_000
const MAX_CERTIFICATES = 10
const MAX_ENTITY_ID = 1_024
const MAX_LISTED = 20

const { metadata, signature } = namespaces

const refusal = (code: MetadataProblemCode, ...values: ReadonlyArray<string>): Result.Result<never, MetadataProblem> =>
  Result.fail({ code, values })

/** Returns the role descriptor in which an entity says how it identifies users by SAML 2.0. */
const roleOf = (entity: XmlElement): XmlElement | undefined =>
  childrenOf(entity, metadata, "IDPSSODescriptor").find(({ attributes }) =>
    (attributes.get("protocolSupportEnumeration") ?? "").split(/\s+/).includes(namespaces.protocol)
  )

const choose = (root: XmlElement, entityId: string | undefined) => {
  const providers = elementsOf(root)
    .filter(({ name, namespace }) => name === "EntityDescriptor" && namespace === metadata)
    .flatMap((entity) => {
      const role = roleOf(entity)
      return role === undefined ? [] : [{ entity, role, id: entity.attributes.get("entityID") ?? "" }]
    })
  const ids = providers.slice(0, MAX_LISTED).map(({ id }) => id)
  const chosen = entityId === undefined ? providers : providers.filter(({ id }) => id === entityId)
  const [only, other] = chosen
  if (providers.length === 0) return refusal("no_provider")
  if (only === undefined) return refusal("unknown_provider", ...ids)
  return other === undefined ? Result.succeed(only) : refusal("several_providers", ...ids)
}

/** Returns the earliest of the expiry times that apply: those of the element and of the elements around it. */
const expiryOf = (elements: ReadonlyArray<XmlElement>): number | null | "malformed" => {
  const times = elements.flatMap(({ attributes }) => {
    const text = attributes.get("validUntil")
    return text === undefined ? [] : [parseInstant(text)]
  })
  const known = times.filter((time) => time !== undefined)
  if (known.length < times.length) return "malformed"
  return known.length === 0 ? null : Math.min(...known)
}

const readCertificates = (role: XmlElement, now: number) => {
  const texts = childrenOf(role, metadata, "KeyDescriptor")
    .filter(({ attributes }) => attributes.get("use") !== "encryption")
    .flatMap((key) => childrenOf(key, signature, "KeyInfo"))
    .flatMap((info) => childrenOf(info, signature, "X509Data"))
    // A chain begins with the certificate of the key.
    .flatMap((data) => childrenOf(data, signature, "X509Certificate").slice(0, 1))
    .map(({ text }) => text.replaceAll(/\s/g, ""))
  const distinct = [...new Set(texts)]
  if (distinct.length === 0) return refusal("no_certificate")
  if (distinct.length > MAX_CERTIFICATES) return refusal("too_many_certificates", `${MAX_CERTIFICATES}`)
  const read = distinct.map(readCertificate)
  const certificates = read.filter(Result.isSuccess).map(({ success }) => success)
  const problems = read.filter(Result.isFailure).map(({ failure }) => failure)
  const [first] = problems
  if (first !== undefined && certificates.length === 0) return refusal(first)
  const warnings: IdpMetadata["warnings"] = [
    ...problems.map((code) => ({ code, value: "" })),
    ...certificates.flatMap((certificate) => {
      const code = validityWarning(certificate, now)
      return code === undefined ? [] : [{ code, value: certificate.fingerprint }]
    })
  ]
  return Result.succeed({ certificates, warnings })
}

const read = (root: XmlElement, { now, entityId }: MetadataOptions): Result.Result<IdpMetadata, MetadataProblem> => {
  const isMetadata = root.name === "EntityDescriptor" || root.name === "EntitiesDescriptor"
  if (!isMetadata || root.namespace !== metadata)
    return refusal(root.name.toLowerCase() === "html" ? "html" : "not_metadata")
  const chosen = choose(root, entityId)
  if (Result.isFailure(chosen)) return Result.fail(chosen.failure)
  const { entity, role, id } = chosen.success
  if (id === "" || id.length > MAX_ENTITY_ID || id.trim() !== id)
    return refusal("entity_id", id.slice(0, MAX_ENTITY_ID))
  const around = elementsOf(root).filter(({ name }) => name === "EntitiesDescriptor")
  const validUntil = expiryOf([...around.filter((group) => elementsOf(group).includes(entity)), entity, role])
  if (validUntil === "malformed") return refusal("malformed", "validUntil")
  if (validUntil !== null && validUntil <= now) return refusal("expired", new Date(validUntil).toISOString())
  const service = childrenOf(role, metadata, "SingleSignOnService").find(
    ({ attributes }) => attributes.get("Binding") === REDIRECT_BINDING
  )
  if (service === undefined) return refusal("no_redirect_binding")
  const ssoUrl = service.attributes.get("Location") ?? ""
  if (ssoUrl.length > URL_LENGTH || pageUrlProblem(ssoUrl) !== undefined)
    return refusal("sso_url", ssoUrl.slice(0, 200))
  return Result.map(readCertificates(role, now), ({ certificates, warnings }) => ({
    entityId: id,
    ssoUrl,
    certificates,
    validUntil,
    wantsSignedRequests: ["true", "1"].includes(role.attributes.get("WantAuthnRequestsSigned") ?? ""),
    warnings
  }))
}

/**
 * Reads the metadata of an identity provider. Signatures of metadata are not verified: it is trusted because of where it comes from.
 * A document with several providers needs an entity ID.
 */
export const readIdentityProvider = (
  text: string,
  options: MetadataOptions
): Result.Result<IdpMetadata, MetadataProblem> => {
  if (text.length > MAX_METADATA) return refusal("too_large", `${MAX_METADATA}`)
  if (/^\s*<(?:!doctype\s+)?html[\s>]/i.test(text)) return refusal("html")
  const root = readXml(text.trimStart(), { elements: MAX_ELEMENTS, comments: true })
  return Result.isFailure(root) ? refusal(root.failure) : read(root.success, options)
}

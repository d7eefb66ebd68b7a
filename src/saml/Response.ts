import { Effect, Result } from "effect"
import type { SamlRefused } from "#domain/SamlRefused"
import { decodeUtf8 } from "#domain/Utf8"
import { readAssertion, type SamlLogin } from "./Assertion.ts"
import { decodeBase64 } from "./Base64.ts"
import { CheckList } from "./CheckList.ts"
import { decryptAssertion } from "./Decryption.ts"
import { namespaces, SUCCESS } from "./Names.ts"
import { CLOCK_SKEW, type ResponseOptions } from "./ResponseOptions.ts"
import { signatureProblem } from "./SignatureForm.ts"
import type { SignedPlace } from "./SignedBytes.ts"
import { parseInstant } from "./Times.ts"
import { childOf, childrenOf, elementsOf, readXml, type XmlElement } from "./Xml.ts"

/** The maximum size of a response in bytes. */
export const MAX_RESPONSE = 262_144

/** The maximum size of a response in base64, with a line break every 64 characters. */
const MAX_ENCODED = Math.ceil((MAX_RESPONSE / 3) * 4 * 1.04)

const MAX_ELEMENTS = 10_000

const { assertion: assertionNamespace, protocol, signature: signatureNamespace } = namespaces

/** Decodes the form field `SAMLResponse`. */
const decode = Effect.fnUntraced(function* (encoded: string, checks: CheckList) {
  if (encoded.length > MAX_ENCODED) return yield* checks.refuse("too_large", { found: `${encoded.length}` })
  const bytes = yield* checks.value("base64", decodeBase64(encoded))
  yield* checks.require("too_large", bytes.length <= MAX_RESPONSE, { found: `${bytes.length}` })
  checks.pass("base64")
  return yield* checks.value("encoding", decodeUtf8(bytes))
})

/** The checks of a document that `readXml` makes. */
const documentChecks = [
  "encoding",
  "doctype",
  "processing_instruction",
  "comment",
  "cdata",
  "malformed",
  "too_deep",
  "duplicate_id"
] as const

const readDocument = Effect.fnUntraced(function* (text: string, checks: CheckList) {
  const root = readXml(text, { elements: MAX_ELEMENTS, comments: false })
  if (Result.isFailure(root)) return yield* checks.refuse(root.failure)
  checks.pass(...documentChecks)
  return root.success
})

const isAssertion = ({ name }: XmlElement): boolean => name === "Assertion" || name === "EncryptedAssertion"

const isSignature = ({ name }: XmlElement): boolean => name === "Signature"

/** Requires a document to be a response with at most one assertion, and with signatures only where they are verified. */
const checkStructure = Effect.fnUntraced(function* (root: XmlElement, checks: CheckList) {
  const isResponse = root.name === "Response" && root.namespace === protocol && root.attributes.get("Version") === "2.0"
  yield* checks.require("not_a_response", isResponse, { found: root.name })
  const all = elementsOf(root)
  const assertions = all.filter(isAssertion)
  const direct = root.children.filter((child) => isAssertion(child) && child.namespace === assertionNamespace)
  yield* checks.require("two_assertions", assertions.length <= 1 && direct.length === assertions.length, {
    found: `${assertions.length}`
  })
  const verified = [root, ...direct].map((parent) => childrenOf(parent, signatureNamespace, "Signature"))
  const isOnce = verified.every(({ length }) => length <= 1)
  if (!isOnce || all.filter(isSignature).length !== verified.flat().length) {
    return yield* checks.refuse("signature_form", { found: `${all.filter(isSignature).length} signatures` })
  }
  return direct[0]
})

/** Verifies the signature in an element, and reads the signed bytes anew. Returns undefined if the element has no signature. */
const verify = Effect.fnUntraced(function* (
  text: string,
  place: SignedPlace,
  element: XmlElement,
  { certificates }: ResponseOptions,
  checks: CheckList
) {
  const signature = childOf(element, signatureNamespace, "Signature")
  if (signature === undefined) return undefined
  const problem = signatureProblem(element, signature)
  if (problem !== undefined) return yield* checks.refuse(problem.check, problem)
  checks.pass("signature_form", "algorithm")
  // The library is large, and only this needs it.
  const { signedBytes } = yield* Effect.promise(() => import("./SignedBytes.ts"))
  const bytes = yield* checks.value("signature", signedBytes(text, place, certificates))
  checks.pass("signature")
  const signed = yield* readDocument(bytes, checks)
  const isSame =
    signed.name === element.name &&
    signed.namespace === element.namespace &&
    signed.attributes.get("ID") === element.attributes.get("ID")
  yield* checks.require("signed_element", isSame, { found: signed.name })
  return signed
})

const statusOf = (response: XmlElement): string => {
  const status = childOf(response, protocol, "Status")
  return (status === undefined ? [] : elementsOf(status))
    .filter(({ name }) => name === "StatusCode")
    .map(({ attributes }) => attributes.get("Value") ?? "")
    .join(" ")
}

/** Checks what a response says about itself. */
const checkResponse = Effect.fnUntraced(function* (response: XmlElement, options: ResponseOptions, checks: CheckList) {
  const status = statusOf(response)
  yield* checks.require("status", status === SUCCESS, { expected: SUCCESS, found: status })
  const destination = response.attributes.get("Destination")
  yield* checks.require("destination", destination === options.acsUrl, { expected: options.acsUrl, found: destination })
  const inResponseTo = response.attributes.get("InResponseTo") ?? "unsolicited"
  const expected = options.expectedRequestId
  yield* checks.require("in_response_to", inResponseTo === expected, { expected, found: inResponseTo })
  const issuers = childrenOf(response, assertionNamespace, "Issuer").map(({ text }) => text)
  yield* checks.require("response_issuer", issuers.length === 0 || issuers.join(" ") === options.idpEntityId, {
    expected: options.idpEntityId,
    found: issuers.join(" ")
  })
  const issued = response.attributes.get("IssueInstant") ?? ""
  const issuedAt = parseInstant(issued)
  yield* checks.require("issue_instant", issuedAt !== undefined && issuedAt <= options.now + CLOCK_SKEW, {
    found: issued
  })
})

/** Decrypts an assertion and verifies the signature in it. */
const readEncrypted = Effect.fnUntraced(function* (
  encrypted: XmlElement,
  isSigned: boolean,
  options: ResponseOptions,
  checks: CheckList
) {
  const decrypted = decryptAssertion(encrypted, options.decryptionKeys)
  if (Result.isFailure(decrypted)) return yield* checks.refuse(decrypted.failure.check, decrypted.failure)
  const { text, isMalleable } = decrypted.success
  const read = Effect.gen(function* () {
    const assertion = yield* readDocument(text, checks)
    const isOne = elementsOf(assertion).filter(isAssertion).length === 1
    yield* checks.require("two_assertions", isOne && assertion.namespace === assertionNamespace)
    const signatures = elementsOf(assertion).filter(isSignature).length
    const direct = childrenOf(assertion, signatureNamespace, "Signature").length
    if (signatures > 1 || signatures !== direct) return yield* checks.refuse("signature_form")
    const signed = yield* verify(text, "root", assertion, options, checks)
    return signed ?? (isSigned ? assertion : yield* checks.refuse("signature_missing"))
  })
  // If anyone could have changed the ciphertext, differences between failures would reveal the plaintext.
  const assertion = yield* isMalleable && !isSigned ? Effect.catch(read, () => checks.refuse("decryption")) : read
  checks.pass("encryption_algorithm", "encrypted_for_other_key", "decryption")
  return assertion
})

/**
 * Reads the response of an identity provider, as the form field `SAMLResponse` contains it. Every value of the result is from bytes
 * that the provider signed, parsed anew (ADR-0027). The caller must use up the request's ID, also when a response is refused, and the
 * assertion's ID until `notOnOrAfter`.
 */
export const readResponse: (encoded: string, options: ResponseOptions) => Effect.Effect<SamlLogin, SamlRefused> =
  Effect.fn("Saml.readResponse")(function* (encoded, options) {
    const checks = new CheckList()
    const text = yield* decode(encoded, checks)
    const raw = yield* readDocument(text, checks)
    const rawAssertion = yield* checkStructure(raw, checks)

    const signed = yield* verify(text, "root", raw, options, checks)
    const response = signed ?? raw
    const assertion = signed === undefined ? rawAssertion : yield* checkStructure(signed, checks)
    yield* checkResponse(response, options, checks)
    const found = yield* checks.value("no_assertion", assertion)
    checks.pass("no_assertion")

    if (found.name === "EncryptedAssertion") {
      const decrypted = yield* readEncrypted(found, signed !== undefined, options, checks)
      return yield* readAssertion(decrypted, options, checks)
    }
    const own = rawAssertion && (yield* verify(text, "assertion", rawAssertion, options, checks))
    if (own === undefined && signed === undefined) return yield* checks.refuse("signature_missing")
    checks.pass("signature_missing")
    return yield* readAssertion(own ?? found, options, checks)
  })

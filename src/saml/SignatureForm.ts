import { Result } from "effect"
import { ENVELOPED_SIGNATURE, EXCLUSIVE_C14N, namespaces } from "./Names.ts"
import type { XmlElement } from "./Xml.ts"

/** The accepted signature algorithms: RSA with SHA-256 or SHA-512. SHA-1 and HMAC are not among them. */
export const signatureAlgorithms: ReadonlySet<string> = new Set([
  "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
  "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512",
  "http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1"
])

/** The accepted digests of what is signed. */
export const digestAlgorithms: ReadonlySet<string> = new Set([
  "http://www.w3.org/2001/04/xmlenc#sha256",
  "http://www.w3.org/2001/04/xmlenc#sha512"
])

/** Why a signature isn't verified. */
export interface SignatureProblem {
  readonly check: "signature_form" | "algorithm"
  readonly found: string
}

const form = (found: string): Result.Result<never, SignatureProblem> => Result.fail({ check: "signature_form", found })

const algorithmOf = ({ attributes }: XmlElement): string => attributes.get("Algorithm") ?? ""

/** Returns the children of an element, if they are exactly those named. A question mark marks those that may be left out. */
const exactly = (
  parent: XmlElement | undefined,
  ...names: ReadonlyArray<string>
): ReadonlyArray<XmlElement> | undefined => {
  const expected = names.filter((name) => !name.endsWith("?"))
  const allowed = names.map((name) => name.replace("?", ""))
  const children = parent?.children.filter(({ namespace }) => namespace === namespaces.signature) ?? []
  const found = children.map(({ name }) => name).join()
  const isExact = children.length === parent?.children.length && [allowed.join(), expected.join()].includes(found)
  return isExact ? children : undefined
}

/** Whether an element has at most a list of prefixes. Some libraries write it for both transforms, in their own namespace. */
const hasOnlyPrefixes = ({ children: [child, other] }: XmlElement): boolean =>
  child === undefined || (other === undefined && child.name === "InclusiveNamespaces")

/**
 * Checks that a signature has the form that SAML 2.0 prescribes (core, 5.4), and only accepted algorithms: it is in the element that it
 * signs, with one reference, to the ID of this element. Then a library can verify it without choices of its own.
 */
export const signatureProblem = (signed: XmlElement, signature: XmlElement): SignatureProblem | undefined => {
  const checked = Result.gen(function* () {
    const [info] = exactly(signature, "SignedInfo", "SignatureValue", "KeyInfo?") ?? (yield* form("Signature"))
    const [canonicalization, method, reference] =
      exactly(info, "CanonicalizationMethod", "SignatureMethod", "Reference") ?? (yield* form("SignedInfo"))
    const [transforms, digest] =
      exactly(reference, "Transforms", "DigestMethod", "DigestValue") ?? (yield* form("Reference"))
    const [enveloped, exclusive] = exactly(transforms, "Transform", "Transform") ?? (yield* form("Transforms"))
    if (!canonicalization || !method || !reference || !digest || !enveloped || !exclusive)
      return yield* form("SignedInfo")

    const id = signed.attributes.get("ID") ?? ""
    const uri = reference.attributes.get("URI")
    if (id === "" || uri !== `#${id}`) return yield* form(`URI=${uri ?? ""}`)
    const isEmpty = [method, digest].every(({ children }) => children.length === 0)
    if (!isEmpty || ![canonicalization, enveloped, exclusive].every(hasOnlyPrefixes)) return yield* form("parameters")
    const accepted: ReadonlyArray<readonly [XmlElement, ReadonlySet<string>]> = [
      [canonicalization, new Set([EXCLUSIVE_C14N])],
      [method, signatureAlgorithms],
      [digest, digestAlgorithms],
      [enveloped, new Set([ENVELOPED_SIGNATURE])],
      [exclusive, new Set([EXCLUSIVE_C14N])]
    ]
    const other = accepted.find(([element, algorithms]) => !algorithms.has(algorithmOf(element)))
    return other === undefined
      ? undefined
      : yield* Result.fail({ check: "algorithm", found: algorithmOf(other[0]) } as const)
  })
  return Result.isFailure(checked) ? checked.failure : undefined
}

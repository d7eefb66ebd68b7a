import type { SamlResponse } from "#testing/SamlProvider"
import { goodResponse, provider } from "./saml.ts"

/** A response that must be refused, and the check that refuses it. */
export type Row = readonly [what: string, xml: string | Uint8Array, check: string]

/** Writes a response that is accepted, apart from the changes. Its ID is `_r`, the ID of its assertion `_a`. */
export const respond = (changes: Partial<SamlResponse> = {}): string =>
  provider.respondXml({ ...goodResponse, responseId: "_r", assertionId: "_a", ...changes })

export const signedAssertion = respond()
export const signedResponse = respond({ signed: "response" })

/** Replaces a text that must be there. */
export const edit = (xml: string, from: string | RegExp, to: string): string => {
  const edited = xml.replace(from, () => to)
  if (edited === xml) throw new Error(`Nothing to replace: ${from}`)
  return edited
}

export const partOf = (xml: string, pattern: RegExp): string => {
  const [part] = pattern.exec(xml) ?? []
  if (part === undefined) throw new Error(`Not found: ${pattern}`)
  return part
}

export const SIGNATURE = /<ds:Signature .*<\/ds:Signature>/s
export const ASSERTION = /<saml:Assertion .*<\/saml:Assertion>/s

export const assertion = partOf(signedAssertion, ASSERTION)
export const signature = partOf(assertion, SIGNATURE)
export const unsigned = edit(assertion, SIGNATURE, "")

/** An assertion of the attacker's choice, without a signature. */
export const forged = edit(edit(unsigned, "ada-1", "root"), 'ID="_a"', 'ID="_evil"')

/** A response with other content in place of its assertion. */
export const containing = (content: string): string => edit(signedAssertion, ASSERTION, content)

/** Puts content after the first issuer, where a signature belongs. */
export const afterIssuer = (xml: string, content: string): string =>
  edit(xml, "</saml:Issuer>", `</saml:Issuer>${content}`)

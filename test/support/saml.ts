import { Cause, Effect, Exit, Option } from "effect"
import { SamlRefused } from "#domain/SamlRefused"
import { selfSignedCertificate } from "#platform/SelfSignedCertificate"
import type { SamlLogin } from "#saml/Assertion"
import { readResponse } from "#saml/Response"
import type { ResponseOptions } from "#saml/ResponseOptions"
import { SamlProvider, type SamlResponse } from "#testing/SamlProvider"
import type { SamlSigner } from "#testing/SamlSigner"
import { rsaPairOf } from "./rsaKeys.ts"

/** The time of the SAML tests, in Unix milliseconds. */
export const NOW = Date.parse("2026-06-01T12:00:00Z")

export const DAY = 86_400_000

/** A reserved key pair with a certificate. */
export const samlKeys = (pair: 0 | 1 | 2 | 3, name = "idp.example"): SamlSigner => {
  const privateKey = rsaPairOf(pair).privateKey.export({ type: "pkcs8", format: "pem" }).toString()
  const serialNumber = Buffer.alloc(15, pair)
  const options = { privateKey, name, serialNumber, notBefore: NOW - DAY, notAfter: NOW + 365 * DAY }
  return { privateKey, certificate: selfSignedCertificate(options) }
}

/** The keys of the service provider. */
export const ownKeys = samlKeys(1, "sp.example")

export const provider = new SamlProvider(samlKeys(0), () => NOW)

/** A provider that the service provider doesn't know. */
export const stranger = new SamlProvider(samlKeys(2), () => NOW, "https://stranger.example/metadata")

export const ENTITY_ID = "https://login.example/sso/cn_1"
export const ACS_URL = `${ENTITY_ID}/acs`

/** What responses are compared with. */
export const expectations: ResponseOptions = {
  idpEntityId: provider.entityId,
  certificates: [provider.signer.certificate],
  spEntityId: ENTITY_ID,
  acsUrl: ACS_URL,
  decryptionKeys: [ownKeys.privateKey],
  now: NOW,
  expectedRequestId: "_request"
}

/** A response that is accepted. */
export const goodResponse: SamlResponse = {
  person: { nameId: "ada-1", attributes: { email: ["ada@acme.example"], groups: ["staff", "admins"] } },
  acsUrl: ACS_URL,
  audience: ENTITY_ID,
  inResponseTo: "_request"
}

export const base64 = (xml: string | Uint8Array): string => Buffer.from(xml).toString("base64")

/** Returns the login, or why the response is refused. */
export const readEncoded = async (
  encoded: string,
  options: Partial<ResponseOptions> = {}
): Promise<SamlLogin | SamlRefused> => {
  const exit = await Effect.runPromiseExit(readResponse(encoded, { ...expectations, ...options }))
  if (Exit.isSuccess(exit)) return exit.value
  const failure = Cause.findErrorOption(exit.cause)
  if (Option.isSome(failure) && failure.value instanceof SamlRefused) return failure.value
  throw new Error(Cause.pretty(exit.cause))
}

/** Returns `accepted` with the name ID, or the check that failed. */
export const outcomeOf = async (xml: string | Uint8Array, options: Partial<ResponseOptions> = {}): Promise<string> => {
  const result = await readEncoded(base64(xml), options)
  return result instanceof SamlRefused ? result.check : `accepted ${result.nameId}`
}

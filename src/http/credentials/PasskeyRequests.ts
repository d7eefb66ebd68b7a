import {
  CreationOptionsBody,
  type CreationResponse,
  type LoginResponse,
  RequestOptionsBody
} from "#api/credentials/Passkeys"
import type { PasskeyCreation } from "#domain/Passkey"
import type { CreationOptions, PasskeyOptions, RequestOptions } from "#domain/PasskeyOptions"
import type { PresentedPasskey } from "#domain/SecondFactor"
import { nonBlank } from "#domain/Text"
import { jsonResponse } from "../WireMapping.ts"

/** Returns the authenticator's response after creating a passkey, or undefined if the caller sent none. */
export const creationOf = (sent: (typeof CreationResponse)["Type"] | null | undefined): PasskeyCreation | undefined => {
  if (sent == null) return undefined
  const { clientDataJSON, attestationObject, transports } = sent.response
  return { id: sent.id, clientDataJSON, attestationObject, transports: transports ?? [] }
}

/** Returns the authenticator's response after using or creating a passkey, or undefined if the caller sent none. */
export const presentedIn = (
  sent: (typeof LoginResponse)["Type"] | (typeof CreationResponse)["Type"] | null | undefined
): PresentedPasskey | undefined => {
  if (sent == null) return undefined
  const { id, response } = sent
  if ("attestationObject" in response) {
    const { clientDataJSON, attestationObject, transports } = response
    return { creation: { id, clientDataJSON, attestationObject, transports: transports ?? [] } }
  }
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return { use: { id, clientDataJSON, authenticatorData, signature, userHandle: userHandle ?? null } }
}

/** Returns the token of a login that waits for a second factor, if the caller sent one. */
export const loginTokenIn = (sent: string | null | undefined): string | undefined => nonBlank(sent ?? null) ?? undefined

/** Returns the origin of the page that requests a passkey, if the caller sent one. */
export const originIn = (sent: { readonly origin?: string | null } | null | undefined): string | undefined =>
  nonBlank(sent?.origin ?? null) ?? undefined

/** The response to a request for login options: options to use an existing passkey, or to create a new one. */
export const loginOptionsBody = ({ token, options }: PasskeyOptions<RequestOptions | CreationOptions>) =>
  "rp" in options
    ? jsonResponse(CreationOptionsBody, optionsBody({ token, options }), 200)
    : jsonResponse(RequestOptionsBody, optionsBody({ token, options }), 200)

/** Passkey options, with the token to send along with the authenticator's response. */
export const optionsBody = <Options>({ token, options }: PasskeyOptions<Options>) => ({
  object: "passkey_options" as const,
  token,
  options
})

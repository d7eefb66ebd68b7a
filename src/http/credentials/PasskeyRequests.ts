import type { CreationResponse, LoginResponse } from "#api/credentials/Passkeys"
import type { PasskeyCreation, PasskeyUse } from "#domain/Passkey"
import type { PasskeyOptions } from "#domain/PasskeyOptions"
import { presence } from "#domain/Text"

/** The answer of an authenticator that made a passkey; undefined if the caller sent none. */
export const creationOf = (sent: (typeof CreationResponse)["Type"] | null | undefined): PasskeyCreation | undefined => {
  if (sent == null) return undefined
  const { clientDataJSON, attestationObject, transports } = sent.response
  return { id: sent.id, clientDataJSON, attestationObject, transports: transports ?? [] }
}

/** The answer of an authenticator that used a passkey; undefined if the caller sent none. */
export const useOf = (sent: (typeof LoginResponse)["Type"] | null | undefined): PasskeyUse | undefined => {
  if (sent == null) return undefined
  const { clientDataJSON, authenticatorData, signature, userHandle } = sent.response
  return { id: sent.id, clientDataJSON, authenticatorData, signature, userHandle: userHandle ?? null }
}

/** The page that asks for a passkey, if the caller names one. */
export const originIn = (sent: { readonly origin?: string | null } | null | undefined): string | undefined =>
  presence(sent?.origin ?? null) ?? undefined

/** Options with the token of their answer. */
export const optionsBody = <Options>({ token, options }: PasskeyOptions<Options>) => ({
  object: "passkey_options" as const,
  token,
  options
})

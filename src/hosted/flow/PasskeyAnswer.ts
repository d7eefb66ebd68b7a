import { Option, Schema } from "effect"
import { CreationResponse, LoginResponse } from "#api/credentials/Passkeys"
import type { PasskeyCreation, PasskeyUse } from "#domain/Passkey"

const decodeCreation = Schema.decodeUnknownOption(Schema.fromJsonString(CreationResponse))

const decodeUse = Schema.decodeUnknownOption(Schema.fromJsonString(LoginResponse))

/** Parses a new passkey from the JSON in a form. Returns undefined if the JSON is not an authenticator's response. */
export const creationIn = (text: string): PasskeyCreation | undefined => {
  const sent = Option.getOrUndefined(decodeCreation(text))
  if (sent === undefined) return undefined
  const { clientDataJSON, attestationObject, transports } = sent.response
  return { id: sent.id, clientDataJSON, attestationObject, transports: transports ?? [] }
}

/** Parses the use of a passkey from the JSON in a form. Returns undefined if the JSON is not an authenticator's response. */
export const useIn = (text: string): PasskeyUse | undefined => {
  const sent = Option.getOrUndefined(decodeUse(text))
  if (sent === undefined) return undefined
  const { clientDataJSON, authenticatorData, signature, userHandle } = sent.response
  return { id: sent.id, clientDataJSON, authenticatorData, signature, userHandle: userHandle ?? null }
}

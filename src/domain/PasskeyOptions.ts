import { encode } from "effect/encoding/Base64Url"
import { PASSKEY_MINUTES, type Passkey, type PasskeyChallenge, type PasskeyRules } from "./Passkey.ts"
import type { User } from "./User.ts"

/** A passkey that a user has, as options name it. */
export interface PasskeyDescriptor {
  readonly type: "public-key"
  readonly id: string
  readonly transports: ReadonlyArray<string>
}

export const descriptorOf = ({ passkeyId, transports }: Passkey): PasskeyDescriptor => ({
  type: "public-key",
  id: passkeyId,
  transports
})

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn Level 3: what browsers take to register a passkey. */
export interface CreationOptions {
  readonly rp: { readonly id: string; readonly name: string }
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string }
  readonly challenge: string
  readonly pubKeyCredParams: ReadonlyArray<{ readonly type: "public-key"; readonly alg: number }>
  readonly timeout: number
  readonly excludeCredentials: ReadonlyArray<PasskeyDescriptor>
  readonly authenticatorSelection: {
    readonly residentKey: "required"
    readonly requireResidentKey: true
    readonly userVerification: PasskeyRules["userVerification"]
  }
  readonly attestation: PasskeyRules["attestation"]
  readonly extensions: { readonly credProps: true }
}

/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn Level 3: what browsers take to use a passkey. */
export interface RequestOptions {
  readonly challenge: string
  readonly timeout: number
  readonly rpId: string
  readonly allowCredentials: ReadonlyArray<PasskeyDescriptor>
  readonly userVerification: PasskeyRules["userVerification"]
}

/** Options with the token by which their answer is given. */
export interface PasskeyOptions<Options> {
  readonly token: string
  readonly options: Options
}

/** The algorithms of keys, most wanted first: EdDSA, ES256, RS256 (COSE). */
export const passkeyAlgorithms = [-8, -7, -257] as const

const timeout = PASSKEY_MINUTES * 60_000

/** A user's id as the user handle of WebAuthn. Ids are random, so that it tells nothing of the person. */
export const userHandleOf = (userId: string): string => encode(userId)

/** What a new passkey is called where the authenticator lists it: what the user logs in with, and the person's name. */
const namesOf = (user: User) => {
  const name = user.email ?? user.username ?? user.name
  return { name, displayName: user.name === "" ? name : user.name }
}

export const creationOptions = (
  { challenge, rpId }: PasskeyChallenge,
  rpName: string,
  user: User,
  { userVerification, attestation }: PasskeyRules,
  existing: ReadonlyArray<PasskeyDescriptor>
): CreationOptions => ({
  rp: { id: rpId, name: rpName },
  user: { id: userHandleOf(user.id), ...namesOf(user) },
  challenge,
  pubKeyCredParams: passkeyAlgorithms.map((alg) => ({ type: "public-key", alg })),
  timeout,
  excludeCredentials: existing,
  authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification },
  attestation,
  extensions: { credProps: true }
})

/** `allowed`: the passkeys that may be used; none for any that the browser finds. */
export const requestOptions = (
  { challenge, rpId }: PasskeyChallenge,
  { userVerification }: PasskeyRules,
  allowed: ReadonlyArray<PasskeyDescriptor>
): RequestOptions => ({ challenge, timeout, rpId, allowCredentials: allowed, userVerification })

import { encode } from "effect/encoding/Base64Url"
import { PASSKEY_MINUTES, type Passkey, type PasskeyChallenge, type PasskeyRules } from "./Passkey.ts"
import type { User } from "./User.ts"

/** A reference to a user's passkey in WebAuthn options. */
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

/** The options for registering a passkey: WebAuthn's `PublicKeyCredentialCreationOptionsJSON` (Level 3). */
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

/** The options for logging in with a passkey: WebAuthn's `PublicKeyCredentialRequestOptionsJSON` (Level 3). */
export interface RequestOptions {
  readonly challenge: string
  readonly timeout: number
  readonly rpId: string
  readonly allowCredentials: ReadonlyArray<PasskeyDescriptor>
  readonly userVerification: PasskeyRules["userVerification"]
}

/** Options and the token to send back with the response. */
export interface PasskeyOptions<Options> {
  readonly token: string
  readonly options: Options
}

/** The accepted key algorithms (COSE), in order of preference: EdDSA, ES256, RS256. */
export const passkeyAlgorithms = [-8, -7, -257] as const

const timeout = PASSKEY_MINUTES * 60_000

/** The WebAuthn user handle for a user's id. Ids are random, so the handle reveals nothing about the person. */
export const userHandleOf = (userId: string): string => encode(userId)

/** The names that authenticators show for a passkey: the user's login name and the person's name. */
export const passkeyNamesOf = (user: User) => {
  const name = user.email ?? user.username ?? user.name
  return { name, displayName: user.name === "" ? name : user.name }
}

export const creationOptions = (
  { challenge, rpId }: Pick<PasskeyChallenge, "challenge" | "rpId">,
  rpName: string,
  user: User,
  { userVerification, attestation }: PasskeyRules,
  existing: ReadonlyArray<PasskeyDescriptor>
): CreationOptions => ({
  rp: { id: rpId, name: rpName },
  user: { id: userHandleOf(user.id), ...passkeyNamesOf(user) },
  challenge,
  pubKeyCredParams: passkeyAlgorithms.map((alg) => ({ type: "public-key", alg })),
  timeout,
  excludeCredentials: existing,
  authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification },
  attestation,
  extensions: { credProps: true }
})

/** `allowed` lists the passkeys that may be used. If it is empty, the browser may use any passkey it finds. */
export const requestOptions = (
  { challenge, rpId }: PasskeyChallenge,
  { userVerification }: PasskeyRules,
  allowed: ReadonlyArray<PasskeyDescriptor>
): RequestOptions => ({ challenge, timeout, rpId, allowCredentials: allowed, userVerification })

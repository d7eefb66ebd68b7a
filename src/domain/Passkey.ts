import { Data, type DateTime } from "effect"
import type { AuthenticationMethod } from "./Authentication.ts"
import type { CredentialId, RealmId, UserId } from "./Ids.ts"

/** Whether authenticators have to check who uses them, by a fingerprint, a face or a PIN (`preferred`: where they can). */
export const userVerifications = ["preferred", "required"] as const

export type UserVerification = (typeof userVerifications)[number]

/**
 * Whether new passkeys have to show what authenticator keeps them: no (`none`, and what they show is not looked at), or by a
 * statement that leads to a manufacturer's certificate (`direct`).
 */
export const attestations = ["none", "direct"] as const

export type Attestation = (typeof attestations)[number]

/** The most root certificates of manufacturers that a realm may accept besides the built-in ones. */
export const MAX_ATTESTATION_ROOTS = 20

/** The longest certificate, in characters of PEM. */
export const MAX_CERTIFICATE_LENGTH = 8_192

/** The rules of a realm for passkeys. */
export interface PasskeyRules {
  readonly userVerification: UserVerification
  readonly attestation: Attestation
  /** Root certificates of manufacturers, as PEM, besides those of Apple and Google. Only for `direct`. */
  readonly attestationRoots: ReadonlyArray<string>
}

export const defaultPasskeyRules: PasskeyRules = {
  userVerification: "preferred",
  attestation: "none",
  attestationRoots: []
}

/** How long a challenge can be answered, in minutes. */
export const PASSKEY_MINUTES = 10

/** What a challenge is for: to register a passkey, or to log in with one. */
export const ceremonies = ["creation", "login"] as const

export type Ceremony = (typeof ceremonies)[number]

/** A challenge, which one answer can be given to. */
export interface PasskeyChallenge {
  readonly realmId: RealmId
  readonly ceremony: Ceremony
  /** The user it was made for; null for logins in which the passkey tells the user. */
  readonly userId: UserId | null
  readonly origin: string
  readonly rpId: string
  /** What the authenticator signs, in base64url. */
  readonly challenge: string
}

/** A user's passkey, apart from the name that its credential has. */
export interface Passkey {
  readonly id: CredentialId
  readonly realmId: RealmId
  /** The credential ID of WebAuthn, in base64url. */
  readonly passkeyId: string
  /** The domain that it was made for. It works on no other (C129). */
  readonly rpId: string
  /** The public key in the form of COSE. */
  readonly publicKey: Uint8Array
  readonly signCount: number
  /** The model of the authenticator, as a UUID; zeros if it does not tell. */
  readonly aaguid: string
  readonly transports: ReadonlyArray<string>
  /** Whether the passkey can be synced between devices. Never changes. */
  readonly backupEligible: boolean
  readonly backedUp: boolean
  readonly lastUsedAt: DateTime.Utc | null
}

/** The longest credential ID, in characters of base64url: 1,023 bytes (WebAuthn Level 3). */
export const MAX_PASSKEY_ID_LENGTH = 1_364

/** The transports that WebAuthn knows (Level 3). Others are not kept. */
const knownTransports = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"]

/** The transports that an authenticator claims, of those that are known. */
export const transportsIn = (claimed: ReadonlyArray<string>): ReadonlyArray<string> =>
  knownTransports.filter((transport) => claimed.includes(transport))

/**
 * Whether a sign counter has moved as that of one authenticator does. A copy of it falls behind. Authenticators without a
 * counter, such as all that sync their passkeys, always tell 0 (WebAuthn Level 3).
 */
export const isNextCount = (before: number, now: number): boolean => now > before || (before === 0 && now === 0)

/** How a passkey was registered: the parts of `RegistrationResponseJSON` that are looked at. All texts are base64url. */
export interface PasskeyCreation {
  readonly id: string
  readonly clientDataJSON: string
  readonly attestationObject: string
  readonly transports: ReadonlyArray<string>
}

/** How a passkey was used: the parts of `AuthenticationResponseJSON` that are looked at. All texts are base64url. */
export interface PasskeyUse {
  readonly id: string
  readonly clientDataJSON: string
  readonly authenticatorData: string
  readonly signature: string
  readonly userHandle: string | null
}

/** A proof that somebody holds a user's passkey. */
export interface PasskeyProof {
  readonly credentialId: CredentialId
  /** Whether the authenticator checked who used it. Then the proof counts as two factors, else as one. */
  readonly userVerified: boolean
  /** Whether the passkey can be synced between devices, or never leaves one. */
  readonly synced: boolean
}

/** How somebody has logged in by this proof: it stays in one device or is synced, and the device checked who used it or not. */
export const methodsOf = ({
  synced,
  userVerified
}: Omit<PasskeyProof, "credentialId">): ReadonlyArray<AuthenticationMethod> => [
  synced ? "swk" : "hwk",
  ...(userVerified ? (["uv"] as const) : [])
]

/** Why an answer to a challenge was not accepted. */
export const refusals = ["passkey_origin", "passkey_unverified", "passkey_attestation", "passkey_invalid"] as const

export type Refusal = (typeof refusals)[number]

/** The answer of an authenticator does not fit the challenge, the page, the realm's rules or the passkey. */
export class AnswerRefused extends Data.TaggedError("AnswerRefused")<{ readonly why: Refusal }> {}

/** The passkey is unknown, another user's or not the answer to the challenge; or its user is inactive. */
export class PasskeyRefused extends Data.TaggedError("PasskeyRefused") {}

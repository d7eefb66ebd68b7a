import { Data, type DateTime } from "effect"
import type { AuthenticationMethod } from "./Authentication.ts"
import type { CredentialId, RealmId, UserId } from "./Ids.ts"

/** Whether authenticators must verify the user by fingerprint, face or PIN. `preferred` asks for it only if they can. */
export const userVerifications = ["preferred", "required"] as const

export type UserVerification = (typeof userVerifications)[number]

/**
 * Whether new passkeys must prove which authenticator they are stored in. `none` ignores attestation statements. `direct`
 * requires a statement that chains to a manufacturer's certificate.
 */
export const attestations = ["none", "direct"] as const

export type Attestation = (typeof attestations)[number]

/** The maximum number of manufacturer root certificates that a realm may accept in addition to the built-in ones. */
export const MAX_ATTESTATION_ROOTS = 20

/** The maximum length of a certificate, in characters of PEM. */
export const MAX_CERTIFICATE_LENGTH = 8_192

/** A realm's rules for passkeys. */
export interface PasskeyRules {
  readonly userVerification: UserVerification
  readonly attestation: Attestation
  /** Root certificates of manufacturers, as PEM, in addition to those of Apple and Google. Only used with `direct`. */
  readonly attestationRoots: ReadonlyArray<string>
}

export const defaultPasskeyRules: PasskeyRules = {
  userVerification: "preferred",
  attestation: "none",
  attestationRoots: []
}

/** How long a challenge is valid, in minutes. */
export const PASSKEY_MINUTES = 10

/** The purpose of a challenge: registering a passkey or logging in with one. */
export const ceremonies = ["creation", "login"] as const

export type Ceremony = (typeof ceremonies)[number]

/** A challenge. It can be used only once. */
export interface PasskeyChallenge {
  readonly realmId: RealmId
  readonly ceremony: Ceremony
  /** The user the challenge was created for, or null for a login where the passkey identifies the user. */
  readonly userId: UserId | null
  readonly origin: string
  readonly rpId: string
  /** The value that the authenticator signs, in base64url. */
  readonly challenge: string
}

/** A user's passkey. Its name is stored with the credential. */
export interface Passkey {
  readonly id: CredentialId
  readonly realmId: RealmId
  /** The WebAuthn credential ID, in base64url. */
  readonly passkeyId: string
  /** The domain the passkey was created for. It does not work on any other domain (C129). */
  readonly rpId: string
  /** The public key, in COSE format. */
  readonly publicKey: Uint8Array
  readonly signCount: number
  /** The model of the authenticator, as a UUID. All zeros if the authenticator does not report it. */
  readonly aaguid: string
  readonly transports: ReadonlyArray<string>
  /** Whether the passkey can be synced between devices. Never changes. */
  readonly backupEligible: boolean
  readonly backedUp: boolean
  readonly lastUsedAt: DateTime.Utc | null
}

/** The maximum length of a credential ID, in characters of base64url: 1,023 bytes (WebAuthn Level 3). */
export const MAX_PASSKEY_ID_LENGTH = 1_364

/** The transports that WebAuthn defines (Level 3). Others are not stored. */
const knownTransports = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"]

/** The known transports among those an authenticator reports. */
export const transportsIn = (claimed: ReadonlyArray<string>): ReadonlyArray<string> =>
  knownTransports.filter((transport) => claimed.includes(transport))

/**
 * Returns whether a signature counter has advanced. The counter of a cloned authenticator falls behind. Authenticators
 * without a counter, including all that sync their passkeys, always report 0 (WebAuthn Level 3).
 */
export const isNextCount = (before: number, now: number): boolean => now > before || (before === 0 && now === 0)

/** The parts of `RegistrationResponseJSON` that are used to register a passkey. All strings are base64url. */
export interface PasskeyCreation {
  readonly id: string
  readonly clientDataJSON: string
  readonly attestationObject: string
  readonly transports: ReadonlyArray<string>
  /** Whether the browser created it without asking, after a password was filled in (conditional creation, C306). */
  readonly isConditional?: boolean
}

/** The parts of `AuthenticationResponseJSON` that are used to log in with a passkey. All strings are base64url. */
export interface PasskeyUse {
  readonly id: string
  readonly clientDataJSON: string
  readonly authenticatorData: string
  readonly signature: string
  readonly userHandle: string | null
}

/** Proof that a person possesses a user's passkey. */
export interface PasskeyProof {
  readonly credentialId: CredentialId
  /** Whether the authenticator verified the user. If so, the proof counts as two factors, otherwise as one. */
  readonly isUserVerified: boolean
  /** Whether the passkey can be synced between devices. If not, it never leaves its device. */
  readonly isSynced: boolean
}

/**
 * The authentication methods that this proof counts as: a synced or device-bound passkey, and `uv` if the authenticator
 * verified the user.
 */
export const methodsOf = ({
  isSynced,
  isUserVerified
}: Omit<PasskeyProof, "credentialId">): ReadonlyArray<AuthenticationMethod> => [
  isSynced ? "swk" : "hwk",
  ...(isUserVerified ? (["uv"] as const) : [])
]

/** The reason why a response to a challenge was rejected. */
export const passkeyRefusals = [
  "passkey_origin",
  "passkey_unverified",
  "passkey_attestation",
  "passkey_invalid"
] as const

export type PasskeyRefusal = (typeof passkeyRefusals)[number]

/** The authenticator's response does not match the challenge, the page, the realm's rules or the passkey. */
export class AnswerRefused extends Data.TaggedError("AnswerRefused")<{ readonly why: PasskeyRefusal }> {}

/** The passkey is unknown, belongs to another user, did not sign the challenge, or its user is inactive. */
export class PasskeyRefused extends Data.TaggedError("PasskeyRefused")<{
  /** The passkey, if the realm doesn't know it. */
  readonly unknown?: Pick<Passkey, "passkeyId" | "rpId">
}> {}

/** The rules under which a browser may create a passkey without asking: it proves neither its user nor its maker. */
export const allowsConditionalCreation = ({
  userVerification,
  attestation
}: Pick<PasskeyRules, "userVerification" | "attestation">): boolean =>
  userVerification === "preferred" && attestation === "none"

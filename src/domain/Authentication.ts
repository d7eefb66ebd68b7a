import { DateTime } from "effect"
import { isRecentProof } from "./Reauthentication.ts"

/**
 * The factor that each method proves. Methods that prove the same factor count only once: two emailed codes are no better
 * than one. `uv` accompanies a passkey whose device verified the user by PIN, fingerprint or face.
 */
const factorOf = {
  pwd: "knowledge",
  otp: "device",
  hwk: "key",
  swk: "key",
  uv: "person",
  fed: "account",
  email: "mailbox"
} as const

/**
 * A method of authentication: password (`pwd`), authenticator app or recovery code (`otp`), device-bound passkey (`hwk`),
 * synced passkey (`swk`), user verification by the passkey (`uv`), external provider (`fed`), or emailed code or link
 * (`email`).
 */
export type AuthenticationMethod = keyof typeof factorOf

export const authenticationMethods = [
  "pwd",
  "otp",
  "hwk",
  "swk",
  "uv",
  "fed",
  "email"
] as const satisfies ReadonlyArray<AuthenticationMethod>

/** The assurance levels: one factor (`aal1`) or two (`aal2`). */
export const assuranceLevels = ["aal1", "aal2"] as const

export type AssuranceLevel = (typeof assuranceLevels)[number]

/** How a user authenticated: the methods, in the order they were used, and the time. */
export interface Authentication {
  /** When the user authenticated. Adding a second factor much later does not update this time (`withFactor`). */
  readonly at: DateTime.Utc
  readonly methods: ReadonlyArray<AuthenticationMethod>
}

/** The claims that describe an authentication to apps: `amr` with the values of RFC 8176, and the assurance level reached. */
export interface AuthenticationClaims {
  readonly amr: ReadonlyArray<string>
  readonly acr: AssuranceLevel
}

/** The assurance level that the methods reach. */
export const assuranceOf = (methods: ReadonlyArray<AuthenticationMethod>): AssuranceLevel =>
  new Set(methods.map((method) => factorOf[method])).size > 1 ? "aal2" : "aal1"

const amrOf = (method: AuthenticationMethod): ReadonlyArray<string> =>
  method === "uv" ? [] : [method === "email" ? "otp" : method]

/** The claims for the methods. `amr` ends with `mfa` if two factors were used (C146). */
export const authenticationClaims = (methods: ReadonlyArray<AuthenticationMethod>): AuthenticationClaims => {
  const acr = assuranceOf(methods)
  return { amr: [...new Set(methods.flatMap(amrOf)), ...(acr === "aal2" ? ["mfa"] : [])], acr }
}

/**
 * Adds a factor to an authentication. If the first factor is recent, as in a login with a password and a code, the
 * authentication counts from now. Otherwise it keeps its time (SEC-133).
 */
export const withFactor = (
  { at, methods }: Authentication,
  added: ReadonlyArray<AuthenticationMethod>,
  now: DateTime.Utc
): Authentication => ({
  at: isRecentProof(at, now) ? DateTime.max(at, now) : at,
  methods: [...methods, ...added.filter((method) => !methods.includes(method))]
})

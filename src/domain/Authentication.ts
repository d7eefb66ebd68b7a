import { DateTime } from "effect"
import { isRecentProof } from "./Reauthentication.ts"

/**
 * The factor that each method proves. Two methods that prove the same factor count as one: two emailed codes are no better than
 * one. `uv` accompanies a passkey whose device verified its user by a PIN, a fingerprint or a face.
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
 * A method of authentication: a password (`pwd`), a code of an authenticator app or a recovery code (`otp`), a passkey that
 * stays in one device (`hwk`) or is synced (`swk`), user verification by that passkey (`uv`), an external provider (`fed`), or
 * an emailed code or link (`email`).
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

/** The levels of assurance: one factor (`aal1`) or two (`aal2`). */
export const assuranceLevels = ["aal1", "aal2"] as const

export type AssuranceLevel = (typeof assuranceLevels)[number]

/** How a user authenticated: the methods, in the order they were used, and the time. */
export interface Authentication {
  /** When the user authenticated. A second factor added much later does not renew this time (`withFactor`). */
  readonly at: DateTime.Utc
  readonly methods: ReadonlyArray<AuthenticationMethod>
}

/** How an authentication is described to apps: `amr` with the values of RFC 8176, and the assurance level reached. */
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
 * An authentication with one more factor. It counts as of now if the first factor was shown just before, as in a login with a
 * code; otherwise it stays as old as its first factor (SEC-133).
 */
export const withFactor = (
  { at, methods }: Authentication,
  added: ReadonlyArray<AuthenticationMethod>,
  now: DateTime.Utc
): Authentication => ({
  at: isRecentProof(at, now) ? DateTime.max(at, now) : at,
  methods: [...methods, ...added.filter((method) => !methods.includes(method))]
})

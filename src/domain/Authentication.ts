import { DateTime } from "effect"
import { isRecentProof } from "./Reauthentication.ts"

/**
 * What each method shows. Two methods that show the same are one factor: two codes by mail are as good as one. `uv`
 * accompanies a passkey whose device has checked by a PIN, a finger or a face who holds it.
 */
const shownBy = {
  pwd: "knowledge",
  otp: "device",
  hwk: "key",
  swk: "key",
  uv: "person",
  fed: "account",
  email: "mailbox"
} as const

/**
 * A method by which somebody has shown who they are: a password, a code of an authenticator app or a recovery code
 * (`otp`), a passkey that stays in one device (`hwk`) or is synced (`swk`), another provider (`fed`), a code or a link
 * by mail (`email`).
 */
export type AuthenticationMethod = keyof typeof shownBy

export const authenticationMethods = [
  "pwd",
  "otp",
  "hwk",
  "swk",
  "uv",
  "fed",
  "email"
] as const satisfies ReadonlyArray<AuthenticationMethod>

/** The levels of assurance: one factor, or two. */
export const assuranceLevels = ["aal1", "aal2"] as const

export type AssuranceLevel = (typeof assuranceLevels)[number]

/** How somebody has logged in: by which methods, in the order in which they were shown, and when. */
export interface Authentication {
  /** When all of the methods had been shown. */
  readonly at: DateTime.Utc
  readonly methods: ReadonlyArray<AuthenticationMethod>
}

/** How an authentication is described to apps: `amr` in the words of RFC 8176, and the level that the methods reach. */
export interface AuthenticationClaims {
  readonly amr: ReadonlyArray<string>
  readonly acr: AssuranceLevel
}

/** The level that methods reach: two factors, or one. */
export const assuranceOf = (methods: ReadonlyArray<AuthenticationMethod>): AssuranceLevel =>
  new Set(methods.map((method) => shownBy[method])).size > 1 ? "aal2" : "aal1"

const amrOf = (method: AuthenticationMethod): ReadonlyArray<string> =>
  method === "uv" ? [] : [method === "email" ? "otp" : method]

/** The claims of methods. `mfa` stands at the end where two factors were shown (C146). */
export const authenticationClaims = (methods: ReadonlyArray<AuthenticationMethod>): AuthenticationClaims => {
  const acr = assuranceOf(methods)
  return { amr: [...new Set(methods.flatMap(amrOf)), ...(acr === "aal2" ? ["mfa"] : [])], acr }
}

/**
 * An authentication with one more factor. It counts as of now if the first factor was shown just before, as in a login
 * with a code; otherwise it remains as old as its first factor (SEC-133).
 */
export const withFactor = (
  { at, methods }: Authentication,
  added: ReadonlyArray<AuthenticationMethod>,
  now: DateTime.Utc
): Authentication => ({
  at: isRecentProof(at, now) ? DateTime.max(at, now) : at,
  methods: [...methods, ...added.filter((method) => !methods.includes(method))]
})

import { DELETION_DAYS } from "./AccountDeletion.ts"

/** What a one-time token may be used for. Each token is valid for only one purpose (C25). */
export type Purpose =
  | "login"
  | "password_reset"
  | "email_verification"
  | "email_change"
  | "email_code"
  | "account_deletion"

const MAX_DELETION_MINUTES = (DELETION_DAYS.most + 1) * 24 * 60

/** The kinds of one-time tokens, by prefix. Prefixes with `_` belong to v1 and hosted login, prefixes with `:` to v2. `top:` invites an operator. */
export const oneTimeTokenKinds = {
  kli_: { purpose: "login", minutes: 10 },
  "tmf:": { purpose: "login", minutes: 10 },
  kpw_: { purpose: "password_reset", minutes: 60 },
  "tpw:": { purpose: "password_reset", minutes: 60 },
  "top:": { purpose: "password_reset", minutes: 7 * 24 * 60 },
  "tve:": { purpose: "email_verification", minutes: 24 * 60 },
  "tue:": { purpose: "email_change", minutes: 24 * 60 },
  "tec:": { purpose: "email_code", minutes: 10 },
  // Usable until the deletion, which deletes the token.
  "tad:": { purpose: "account_deletion", minutes: MAX_DELETION_MINUTES }
} as const satisfies Readonly<Record<string, { readonly purpose: Purpose; readonly minutes: number }>>

export type OneTimeTokenKind = keyof typeof oneTimeTokenKinds

/** The lifetime of a one-time token, in minutes, or undefined if the string is not a one-time token. */
export const oneTimeTokenMinutes = (text: string): number | undefined =>
  Object.entries(oneTimeTokenKinds).find(([prefix]) => text.startsWith(prefix))?.[1].minutes

/** The lifetime of a signup token, in hours. */
export const SIGNUP_TOKEN_HOURS = 24

const form = /^[0-9A-Za-z]{43}$/

/** Returns whether a string has the form of a token of this kind: its prefix and 43 base62 characters (SEC-42). */
export const isToken = (kind: OneTimeTokenKind | "utk_" | "nvt_" | "tpk:", text: string): boolean =>
  text.startsWith(kind) && form.test(text.slice(kind.length))

import { canonical, isStorable } from "./Text.ts"

/** The longest e-mail address, in characters (C10a). */
export const EMAIL_LENGTH = 254

const FORM = /^[^\s@<>()[\],;:"\\\p{C}]+@[^\s@<>()[\],;:"\\\p{C}]+$/u

/**
 * Parses an e-mail address to its canonical form (C21); undefined if invalid. It has exactly one `@`, no control
 * characters, and nothing a mail header could read as several addresses.
 */
export const canonicalEmail = (typed: string): string | undefined => {
  if (typed.length > 4 * EMAIL_LENGTH || !isStorable(typed)) return undefined
  const email = canonical(typed)
  return email.length <= EMAIL_LENGTH && FORM.test(email) && !email.endsWith(".") ? email : undefined
}

/** The part of an address before the `@`. */
export const localPart = (email: string): string => email.slice(0, email.indexOf("@"))

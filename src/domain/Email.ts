import { canonical, isStorable } from "./Text.ts"

/** The longest e-mail address, in characters (decision 10a). */
export const EMAIL_LENGTH = 254

const FORM = /^[^\s@<>()[\],;:"\\\p{C}]+@[^\s@<>()[\],;:"\\\p{C}]+$/u

/**
 * The canonical e-mail of what a caller typed, or undefined when it is none (decision 21): exactly one `@`, no control
 * character, nothing a mail header could read as more than one address.
 */
export const canonicalEmail = (typed: string): string | undefined => {
  if (typed.length > 4 * EMAIL_LENGTH || !isStorable(typed)) return undefined
  const email = canonical(typed)
  return email.length <= EMAIL_LENGTH && FORM.test(email) && !email.endsWith(".") ? email : undefined
}

/** What stands before the `@`. */
export const localPart = (email: string): string => email.slice(0, email.indexOf("@"))

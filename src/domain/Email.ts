import { canonical, isStorable } from "./Text.ts"

/** The maximum length of an email address, in characters (C10a). */
export const EMAIL_LENGTH = 254

const FORM = /^[^\s@<>()[\],;:"\\\p{C}]+@[^\s@<>()[\],;:"\\\p{C}]+$/u

// ASCII characters that cannot be part of a host name. A URL parser would drop them or end the host there.
const NOT_IN_HOST = /[^a-z0-9._\-\u0080-\u{10ffff}]/u

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text)

/**
 * A label appended to the domain for parsing. It keeps the parser from reading trailing digits as an IPv4 address and makes
 * it check each `xn--…` label.
 */
const EXTRA_LABEL = { typed: ".é", ascii: ".xn--9ca" }

const LABELS = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/

const hostname = (domain: string): string | undefined =>
  NOT_IN_HOST.test(domain)
    ? undefined
    : URL.parse(`http://${domain}${EXTRA_LABEL.typed}`)?.hostname.slice(0, -EXTRA_LABEL.ascii.length)

/**
 * The ASCII form of a domain (UTS 46, `xn--…`), which is used to look up its mail servers. Undefined if no server can have
 * that name.
 */
const asciiDomain = (domain: string): string | undefined => {
  const ascii = isAscii(domain) && !/(?:^|\.)xn--/.test(domain) ? domain : hostname(domain)
  return ascii !== undefined && LABELS.test(ascii) ? ascii : undefined
}

/**
 * Converts the domain of an email address to the form in which it is stored and compared: in lower case and ASCII, without a
 * trailing dot (C257). Undefined if no server can have that name.
 */
export const foldedDomain = (typed: string): string | undefined => {
  if (typed.length > 4 * EMAIL_LENGTH || !isStorable(typed)) return undefined
  const domain = canonical(typed).replace(/\.$/, "")
  return domain.length > EMAIL_LENGTH ? undefined : asciiDomain(domain)
}

const withAsciiDomain = (email: string): string | undefined => {
  const start = email.indexOf("@") + 1
  const domain = start === 0 ? "" : asciiDomain(email.slice(start))
  return domain === undefined ? undefined : email.slice(0, start || undefined) + domain
}

/**
 * Converts an email address to its canonical form (C21), or returns undefined if it is invalid. A valid address has exactly
 * one `@`, no control characters, nothing that a mail header could read as several addresses, and a domain that can have a
 * mail server.
 */
export const canonicalEmail = (typed: string): string | undefined => {
  if (typed.length > 4 * EMAIL_LENGTH || !isStorable(typed)) return undefined
  const email = canonical(typed)
  if (email.length > EMAIL_LENGTH || !FORM.test(email)) return undefined
  const sent = withAsciiDomain(email)
  return sent === undefined || sent.length > EMAIL_LENGTH ? undefined : email
}

/**
 * The form of a canonical address that is used for sending and comparing: its domain is in ASCII (C257). Text that is not
 * an address is returned unchanged.
 */
export const foldedEmail = (email: string): string => withAsciiDomain(email) ?? email

/** Returns whether two canonical addresses belong to the same mailbox. */
export const isSameEmail = (one: string | null, other: string | null): boolean =>
  one === null || other === null ? one === other : foldedEmail(one) === foldedEmail(other)

/** The part of an address before the `@`. */
export const localPart = (email: string): string => email.slice(0, email.indexOf("@"))

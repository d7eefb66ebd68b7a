import { Redacted } from "effect"
import type { MailFrom } from "#core/hooks/MailContents"
import type { SenderDomains } from "#core/mail/MailSenders"
import { canonicalEmail } from "#domain/Email"
import { invalidEntries, LABELS, type Reader } from "./EnvironmentReader.ts"

/** Reads the URL of the mail server, if there is one. */
export const smtpUrlOf = (reader: Reader): Redacted.Redacted | undefined => {
  const text = reader.secret("SALLYPORT_SMTP_URL")
  if (text === undefined) return undefined
  const url = URL.parse(text)
  const known = url?.protocol === "smtp:" || url?.protocol === "smtps:"
  const host = /^(\[[\da-f:.]+\]|[\w.-]+)$/i
  if (!known || !host.test(url.hostname) || !/^\/?$/.test(url.pathname) || url.hash !== "") {
    reader.problems.push(
      "SALLYPORT_SMTP_URL must be an smtp:// or smtps:// URL with a host, and nothing after the port."
    )
  } else if (url.search !== "" && !(url.protocol === "smtp:" && /^\?tls=(optional|required)$/.test(url.search))) {
    reader.problems.push("SALLYPORT_SMTP_URL can only end with ?tls=optional or ?tls=required, and only with smtp://.")
  }
  return Redacted.make(text)
}

/** Emails stay in the service if there is no mail server, unless real users may wait for them. */
export const mailboxOf = (reader: Reader, smtpUrl: Redacted.Redacted | undefined, isTrial: boolean): boolean => {
  const mailbox = reader.truth("SALLYPORT_MAILBOX", smtpUrl === undefined && isTrial)
  if (mailbox && smtpUrl !== undefined) {
    reader.problems.push(
      "SALLYPORT_MAILBOX can't be true with SALLYPORT_SMTP_URL, because emails are sent to that server."
    )
  }
  return mailbox
}

/** Reads the sender of emails. */
export const mailFromOf = (reader: Reader): MailFrom => {
  const text = reader.text("SALLYPORT_MAIL_FROM")
  const host = URL.parse(reader.text("SALLYPORT_PUBLIC_URL") ?? "")?.hostname ?? "localhost"
  const fallback = { address: canonicalEmail(`no-reply@${host}`) ?? "no-reply@localhost", name: null }
  if (text === undefined) return fallback
  const [, typedName = "", typedAddress = text] = /^([^<>]*)<([^<>]*)>$/.exec(text) ?? []
  const address = canonicalEmail(typedAddress)
  const name = typedName.trim().replace(/^"(.*)"$/, "$1")
  if (address !== undefined && !/\p{C}/u.test(name)) return { address, name: name === "" ? null : name }
  reader.problems.push("SALLYPORT_MAIL_FROM must be an email address, or Name <address>.")
  return fallback
}

/**
 * Reads the sender domains. The default is the domain of the service's own sender or, if emails don't leave the
 * service, any domain.
 */
export const mailFromDomainsOf = (reader: Reader, { address }: MailFrom, leaves: boolean): SenderDomains => {
  const text = reader.text("SALLYPORT_MAIL_FROM_DOMAINS")?.toLowerCase()
  if (text === undefined) return leaves ? [address.slice(address.indexOf("@") + 1)] : "any"
  if (text === "*") return "any"
  const domains = text.split(",").map((domain) => domain.trim())
  const wrong = domains.filter((domain) => !LABELS.test(domain))
  if (wrong.length > 0) {
    reader.problems.push(
      `SALLYPORT_MAIL_FROM_DOMAINS must be domain names separated by commas, or * for any. ${invalidEntries(wrong)}`
    )
  }
  return domains
}

import { Effect, type Redacted } from "effect"
import {
  describeMailServer,
  type MailRefusal,
  type MailRefused,
  probeMailServer,
  sendTestMail
} from "#server/inspection/MailProbe"
import { type Finding, ok, problem, skipped, warning } from "../Finding.ts"
import { type Check, isInvalid, isProduction, isThisMachine, type Subject } from "../Subject.ts"

const todos: Readonly<Record<MailRefusal, string>> = {
  login: "Correct them. Percent-encode special characters, such as %40 for @.",
  starttls: "Ask your mail provider for its port with TLS: often 465 (smtps://) or 587.",
  certificate:
    "The certificate must be valid for the host in SALLYPORT_SMTP_URL. smtps:// is for port 465, smtp:// for 587.",
  host: "Check the host in SALLYPORT_SMTP_URL.",
  email: "Check the address, and that this server lets you send as SALLYPORT_MAIL_FROM.",
  connection:
    "Check host and port in SALLYPORT_SMTP_URL, and that this machine can reach them. Many networks block outgoing mail."
}

/** Without a reason, no mail server was asked, because an address is invalid. */
const mailRefused = (url: Redacted.Redacted, { message, reason = "email" }: MailRefused) =>
  problem(`${describeMailServer(url).host}: ${message}`, todos[reason])

const connectionFindings = (subject: Subject, url: Redacted.Redacted) =>
  Effect.match(probeMailServer(subject.settings, url), {
    onFailure: (refused) => mailRefused(url, refused),
    onSuccess: (): Finding => {
      const { host, encryption, hasLogin } = describeMailServer(url)
      const login = hasLogin ? "accepts the login" : "accepts connections without a login"
      const isOpen = encryption === undefined && !isThisMachine(host.replace(/:\d+$/, ""))
      return isOpen
        ? warning(
            `${host} ${login}, but emails may be sent unencrypted (?tls=optional).`,
            "Remove ?tls=optional, unless the server doesn't support TLS."
          )
        : ok(`${host} ${login}${encryption === undefined ? "" : `, by ${encryption}`}.`)
    }
  })

const testMailFinding = ({ settings, mailTo }: Subject, url: Redacted.Redacted) => {
  if (mailTo === undefined) return Effect.succeed([])
  return Effect.match(sendTestMail(settings, url, mailTo), {
    onFailure: (refused): ReadonlyArray<Finding> => [mailRefused(url, refused)],
    onSuccess: (said) => [
      ok(
        `A test email from ${settings.mailFrom.address} to ${mailTo} was accepted: ${said} Check that it arrived, and not as spam.`
      )
    ]
  })
}

const senderFinding = ({ settings: { mailFrom } }: Subject): ReadonlyArray<Finding> =>
  mailFrom.address.endsWith("@localhost")
    ? [
        warning(
          `Emails are sent from ${mailFrom.address}, which receivers treat as spam.`,
          "Set SALLYPORT_MAIL_FROM to an address of your domain."
        )
      ]
    : []

/** Checks whether the service can send email. */
export const mailServer: Check = {
  name: "mail",
  place: "settings",
  run: (subject) => {
    const { smtpUrl, mailbox } = subject.settings
    if (isInvalid(subject, "SALLYPORT_SMTP_URL")) return Effect.succeed(skipped("SALLYPORT_SMTP_URL is not valid."))
    if (smtpUrl !== undefined) {
      return Effect.gen(function* () {
        const connection = yield* connectionFindings(subject, smtpUrl)
        if (connection.verdict === "problem") return connection
        return [connection, ...senderFinding(subject), ...(yield* testMailFinding(subject, smtpUrl))]
      })
    }
    if (isProduction(subject)) {
      return Effect.succeed(
        warning(
          "SALLYPORT_SMTP_URL is not set, so no email is sent, and nobody can verify an email or reset a password.",
          "Set it to your mail server, as smtp://user:password@host:587."
        )
      )
    }
    return Effect.succeed(mailbox ? ok("Emails stay in the service's mailbox (/mailbox).") : [])
  }
}

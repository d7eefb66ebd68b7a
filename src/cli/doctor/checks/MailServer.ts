import { Effect, type Redacted } from "effect"
import { describeMailServer, probeMailServer, sendTestMail } from "#server/inspection/MailProbe"
import { type Finding, ok, problem, skipped, warning } from "../Finding.ts"
import { type Check, isInvalid, isProduction, isThisMachine, type Subject } from "../Subject.ts"

const todoOf = (message: string): string => {
  if (message.includes("user name or password"))
    return "Correct them; special characters are percent-encoded, such as %40 for @."
  if (message.includes("STARTTLS")) return "Ask your mail provider for its port with TLS: often 465 (smtps://) or 587."
  if (message.includes("TLS"))
    return "The certificate must be valid for the host in SALLYPORT_SMTP_URL. smtps:// is for port 465, smtp:// for 587."
  if (message.includes("resolved")) return "Check the host in SALLYPORT_SMTP_URL."
  if (message.includes("rejected the e-mail"))
    return "Check the address, and that this server lets you send as SALLYPORT_MAIL_FROM."
  return "Check host and port in SALLYPORT_SMTP_URL, and that this machine may reach them: many networks block mail."
}

const mailRefused = (url: Redacted.Redacted, { message }: { readonly message: string }) =>
  problem(`${describeMailServer(url).host}: ${message}`, todoOf(message))

const connectionFindings = (subject: Subject, url: Redacted.Redacted) =>
  Effect.match(probeMailServer(subject.settings, url), {
    onFailure: (refused) => mailRefused(url, refused),
    onSuccess: (): Finding => {
      const { host, encryption, hasLogin } = describeMailServer(url)
      const login = hasLogin ? "takes the login" : "takes connections without a login"
      const isOpen = encryption === undefined && !isThisMachine(host.replace(/:\d+$/, ""))
      return isOpen
        ? warning(
            `${host} ${login}, but mails may go there unencrypted (?tls=optional).`,
            "Leave ?tls=optional out, unless the server has no TLS."
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
        `A test mail from ${settings.mailFrom.address} to ${mailTo} was taken: ${said} Look whether it arrived, and not as spam.`
      )
    ]
  })
}

const senderFinding = ({ settings: { mailFrom } }: Subject): ReadonlyArray<Finding> =>
  mailFrom.address.endsWith("@localhost")
    ? [
        warning(
          `Mails come from ${mailFrom.address}, which receivers take for spam.`,
          "Set SALLYPORT_MAIL_FROM to an address of your domain."
        )
      ]
    : []

/** Checks whether the service can send email. */
export const mailServer: Check = {
  name: "mail",
  place: "settings",
  run: (subject) => {
    const { smtpUrl, database, testMode } = subject.settings
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
          "SALLYPORT_SMTP_URL is not set, so no mail leaves the service: nobody can confirm an address or reset a password.",
          "Set it to your mail server, as smtp://user:password@host:587."
        )
      )
    }
    const isLocal = testMode || database._tag !== "Postgres"
    return Effect.succeed(isLocal ? ok("Mails stay in the service's mailbox (/mailbox).") : [])
  }
}

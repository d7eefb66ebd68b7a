import { Effect, Layer, Redacted } from "effect"
import type { Mailbox } from "#core/mail/Mailbox"
import { Mailer, MailRefused } from "#platform/Mailer"
import type { Settings } from "./Config.ts"
import { mailboxMailer } from "./LocalMail.ts"
import { layer as smtp } from "./Smtp.ts"

interface MailTransport {
  readonly layer: Layer.Layer<Mailer, never, Mailbox>
  /** Whether emails stay in the local mailbox. */
  readonly isLocal: boolean
  /** Describes the transport. `url`: the service's own URL. */
  readonly describe: (url: string) => string
}

type MailSettings = Pick<Settings, "smtpUrl" | "publicUrl" | "mailbox">

/** A mailer that rejects every email, for a service without a mail server and a mailbox. */
const noMailer = Layer.succeed(
  Mailer,
  Mailer.of({
    destination: "none",
    send: () =>
      Effect.fail(new MailRefused({ message: "SALLYPORT_SMTP_URL is not set.", isFinal: false, isUnavailable: true }))
  })
)

/**
 * The way the service sends emails, and its description in the start banner (C38). `currentUrl`: returns the mail
 * server for the next email, because its password may have changed (C227).
 */
export const mailTransport = (
  { smtpUrl, publicUrl, mailbox }: MailSettings,
  currentUrl: () => Redacted.Redacted | undefined = () => smtpUrl
): MailTransport => {
  if (smtpUrl !== undefined) {
    const { host } = new URL(Redacted.value(smtpUrl))
    const layer = smtp({ url: smtpUrl, hostname: new URL(publicUrl).hostname, currentUrl })
    return { layer, isLocal: false, describe: () => `through ${host}` }
  }
  if (mailbox) return { layer: mailboxMailer, isLocal: true, describe: (url) => `${url}/mailbox` }
  return { layer: noMailer, isLocal: false, describe: () => "off (SALLYPORT_SMTP_URL is not set)" }
}

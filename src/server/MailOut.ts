import { Effect, Layer, Redacted } from "effect"
import type { Mailbox } from "#core/mail/Mailbox"
import { Mailer, MailRefused } from "#platform/Mailer"
import type { Settings } from "./Config.ts"
import { keeping } from "./LocalMail.ts"
import { layer as smtp } from "./Smtp.ts"

interface MailOut {
  readonly layer: Layer.Layer<Mailer, never, Mailbox>
  /** Whether mails stay here, to be looked at. */
  readonly keeps: boolean
  /** `url`: where the service is. */
  readonly describe: (url: string) => string
}

type MailSettings = Pick<Settings, "smtpUrl" | "publicUrl" | "database" | "testMode">

/** Refuses every mail, for a service that was told of no mail server. */
const nowhere = Layer.succeed(
  Mailer,
  Mailer.of({ send: () => Effect.fail(new MailRefused({ message: "SALLYPORT_SMTP_URL is not set.", final: false })) })
)

/** The way out of the service for mails, and what the start banner says of it (decision 38). */
export const mailOut = ({ smtpUrl, publicUrl, database, testMode }: MailSettings): MailOut => {
  if (smtpUrl !== undefined) {
    const { host } = new URL(Redacted.value(smtpUrl))
    const layer = smtp({ url: smtpUrl, hostname: new URL(publicUrl).hostname })
    return { layer, keeps: false, describe: () => `through ${host}` }
  }
  if (testMode || database._tag !== "Postgres") {
    return { layer: keeping, keeps: true, describe: (url) => `${url}/mailbox` }
  }
  return { layer: nowhere, keeps: false, describe: () => "off (SALLYPORT_SMTP_URL is not set)" }
}

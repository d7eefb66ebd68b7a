import { Clock, Effect, Redacted } from "effect"
import { ACCOUNT } from "#domain/Ids"
import { Mailer } from "#platform/Mailer"
import type { Settings } from "../Config.ts"
import { layer, needsStartTls, type SmtpTimeouts, verify } from "../Smtp.ts"

export type { MailRefusal, MailRefused } from "#platform/Mailer"

/** Shorter than for sending, because nobody waits a minute for a check. */
const timeouts: SmtpTimeouts = { connect: 5_000, greeting: 5_000, silence: 5_000, mail: 15_000 }

const optionsOf = ({ publicUrl }: Settings, url: Redacted.Redacted) => ({
  url,
  hostname: new URL(publicUrl).hostname,
  timeouts
})

/** Describes a mail server by its URL. */
export const describeMailServer = (smtpUrl: Redacted.Redacted) => {
  const url = new URL(Redacted.value(smtpUrl))
  return {
    host: url.host,
    encryption: url.protocol === "smtps:" ? ("TLS" as const) : needsStartTls(url) ? ("STARTTLS" as const) : undefined,
    hasLogin: url.username !== ""
  }
}

/** Connects, encrypts and logs in as if to send an email. */
export const probeMailServer = (settings: Settings, url: Redacted.Redacted) => verify(optionsOf(settings, url))

/** Sends one email from the service's own sender. Returns the server's response. */
export const sendTestMail = Effect.fnUntraced(
  function* (settings: Settings, _: Redacted.Redacted, to: string) {
    const { address, name } = settings.mailFrom
    const now = yield* Clock.currentTimeMillis
    return yield* (yield* Mailer).send({
      realmId: ACCOUNT,
      messageId: `doctor-${now}@${new URL(settings.publicUrl).hostname}`,
      from: { address, name: name ?? "Sallyport" },
      to,
      subject: "Sallyport can send you email",
      html: null,
      text: `This is the test email of "sallyport doctor", sent for ${settings.publicUrl}. It arrived, so your users will get their emails in the same way.`
    })
  },
  (effect, settings, url) => Effect.provide(effect, layer(optionsOf(settings, url)))
)

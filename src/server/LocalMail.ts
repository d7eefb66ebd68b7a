import { Clock, Effect, Layer } from "effect"
import { Mailbox } from "#core/mail/Mailbox"
import { deliveryResults } from "#domain/DeliveryResult"
import type { Mail } from "#domain/Mail"
import { HeaderNames } from "#http/Authentication"
import { LocalRequests } from "#http/LocalRequest"
import { MailboxRoutes } from "#http/mailbox/MailboxRoutes"
import { Entropy } from "#platform/Entropy"
import { IdGenerator } from "#platform/IdGenerator"
import { Mailer, MailRefused } from "#platform/Mailer"
import { Secrets } from "#platform/Secrets"
import { MailboxRepo } from "#store/operations/MailboxRepo"
import { Clients } from "./layers/Store.ts"
import type { Options } from "./Options.ts"
import { messageOf } from "./Smtp.ts"

/** The source of an email (RFC 5322) as a mail server would receive it. */
const sourceOf = Effect.fnUntraced(function* (mail: Mail) {
  const message = yield* messageOf(mail, yield* Clock.currentTimeMillis)
  return yield* Effect.tryPromise({
    try: async () => {
      const { createTransport } = await import("nodemailer")
      const built = await createTransport({ streamTransport: true, buffer: true, newline: "windows" }).sendMail(message)
      return built.message.toString()
    },
    catch: () => new MailRefused({ message: "The email can't be built.", isFinal: true, isUnavailable: false })
  })
})

/**
 * A mailer that stores emails in the local mailbox. It rejects the emails that are rejected before delivery to a mail
 * server, too.
 */
export const mailboxMailer: Layer.Layer<Mailer, never, Mailbox> = Layer.effect(
  Mailer,
  Effect.map(Mailbox, (mailbox) =>
    Mailer.of({
      destination: "mailbox",
      send: (mail) =>
        Effect.flatMap(sourceOf(mail), (source) => Effect.as(mailbox.store(mail, source), deliveryResults.in_mailbox))
    })
  )
)

/** The local mailbox. It stays empty if emails are sent to a mail server. */
export const mailbox = ({ secrets }: Pick<Options, "secrets">) =>
  Mailbox.layer.pipe(
    Layer.provide([MailboxRepo.layer, Secrets.layer(secrets), IdGenerator.layer]),
    Layer.provide([Entropy.layer, Clients])
  )

/** The routes of the local mailbox. */
export const mailboxRoutes = (options: Pick<Options, "headerPrefix" | "publicUrl" | "trustedProxies">) =>
  MailboxRoutes(options).pipe(Layer.provide([HeaderNames.layer(options.headerPrefix), LocalRequests.layer(options)]))

import { Clock, Effect, Layer } from "effect"
import { Mailbox } from "#core/mail/Mailbox"
import type { Mail } from "#domain/Mail"
import { HeaderNames } from "#http/Authentication"
import { MailboxRoutes } from "#http/mailbox/MailboxRoutes"
import { Entropy } from "#platform/Entropy"
import { IdGenerator } from "#platform/IdGenerator"
import { Mailer, MailRefused } from "#platform/Mailer"
import { Secrets } from "#platform/Secrets"
import { MailboxRepo } from "#store/MailboxRepo"
import { Clients } from "./layers/Store.ts"
import type { Options } from "./Options.ts"
import { messageOf } from "./Smtp.ts"

/** The whole of a mail, as a mail server would get it. */
const sourceOf = Effect.fnUntraced(function* (mail: Mail) {
  const message = yield* messageOf(mail, yield* Clock.currentTimeMillis)
  return yield* Effect.tryPromise({
    try: async () => {
      const { createTransport } = await import("nodemailer")
      const built = await createTransport({ streamTransport: true, buffer: true, newline: "windows" }).sendMail(message)
      return built.message.toString()
    },
    catch: () => new MailRefused({ message: "The e-mail can't be built.", final: true })
  })
})

/** Keeps every mail here, and refuses those that a mail server would never get. */
export const keeping: Layer.Layer<Mailer, never, Mailbox> = Layer.effect(
  Mailer,
  Effect.map(Mailbox, (mailbox) =>
    Mailer.of({
      send: (mail) =>
        Effect.flatMap(sourceOf(mail), (source) =>
          Effect.as(mailbox.keep(mail, source), "Stored in the local mailbox.")
        )
    })
  )
)

/** The mailbox, which stays empty where mails go elsewhere. */
export const mailbox = ({ secrets }: Pick<Options, "secrets">) =>
  Mailbox.layer.pipe(
    Layer.provide([MailboxRepo.layer, Secrets.layer(secrets), IdGenerator.layer]),
    Layer.provide([Entropy.layer, Clients])
  )

/** What a service answers besides whose mails stay here. */
export const mailboxRoutes = ({ headerPrefix }: Pick<Options, "headerPrefix">) =>
  MailboxRoutes.pipe(Layer.provide(HeaderNames.layer(headerPrefix)))

import { Context, Data, type Effect } from "effect"
import type { Mail } from "#domain/Mail"

/** The mail was not taken. `final`: nor will it be at another try. */
export class MailRefused extends Data.TaggedError("MailRefused")<{
  readonly message: string
  readonly final: boolean
}> {}

/** Hands mails over to whoever delivers them. */
export class Mailer extends Context.Service<
  Mailer,
  {
    /** What the server that took it said. */
    send(mail: Mail): Effect.Effect<string, MailRefused>
  }
>()("sallyport/platform/Mailer") {}

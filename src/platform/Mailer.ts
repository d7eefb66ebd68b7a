import { Context, Data, type Effect } from "effect"
import type { Mail } from "#domain/Mail"

/** The email was not accepted. `final`: a retry would fail as well. `away`: the mail server accepts no email at all. */
export class MailRefused extends Data.TaggedError("MailRefused")<{
  readonly message: string
  readonly final: boolean
  readonly away: boolean
}> {}

/** Sends emails. */
export class Mailer extends Context.Service<
  Mailer,
  {
    /** Sends an email, and returns the response of the mail server. */
    send(mail: Mail): Effect.Effect<string, MailRefused>
  }
>()("sallyport/platform/Mailer") {}

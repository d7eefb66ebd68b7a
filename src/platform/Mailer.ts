import { Context, Data, type Effect } from "effect"
import type { Mail } from "#domain/Mail"

/**
 * The email was not accepted. `isFinal` is whether a retry would fail too. `isUnavailable` is whether the mail server
 * currently accepts no email at all.
 */
export class MailRefused extends Data.TaggedError("MailRefused")<{
  readonly message: string
  readonly isFinal: boolean
  readonly isUnavailable: boolean
}> {}

/** Sends emails. */
export class Mailer extends Context.Service<
  Mailer,
  {
    /** Sends an email and returns the mail server's response. */
    send(mail: Mail): Effect.Effect<string, MailRefused>
  }
>()("sallyport/platform/Mailer") {}

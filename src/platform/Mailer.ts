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

/** Where emails go: to a mail server, or to the mailbox of a test service, or nowhere. */
export type MailDestination = "server" | "mailbox" | "none"

/** Sends emails. */
export class Mailer extends Context.Service<
  Mailer,
  {
    /** Sends an email and returns the mail server's response. */
    send(mail: Mail): Effect.Effect<string, MailRefused>
    /** Default: `server`. */
    readonly destination?: MailDestination
  }
>()("sallyport/platform/Mailer") {}

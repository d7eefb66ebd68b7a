import { Context, Data, type Effect } from "effect"
import type { Mail } from "#domain/Mail"

/**
 * Why a mail server can't be used: it rejects the login, doesn't support STARTTLS, has no trusted certificate, its host is
 * unknown or it can't be reached; or it rejects only this email.
 */
export type MailRefusal = "login" | "starttls" | "certificate" | "host" | "connection" | "email"

/**
 * The email was not accepted. `isFinal` is whether a retry would fail too. `isUnavailable` is whether the mail server
 * currently accepts no email at all. `reason` is missing if no mail server was asked.
 */
export class MailRefused extends Data.TaggedError("MailRefused")<{
  readonly message: string
  readonly isFinal: boolean
  readonly isUnavailable: boolean
  readonly reason?: MailRefusal
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

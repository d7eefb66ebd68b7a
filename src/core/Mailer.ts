import { Context, Data, type Effect } from "effect"
import type { RealmId } from "#domain/Ids"

/** One mail to one recipient, from structured fields: whoever sends it writes the headers. */
export interface Mail {
  readonly realmId: RealmId
  /** The same at each try to send it; without angle brackets. */
  readonly messageId: string
  readonly from: { readonly address: string; readonly name: string | null }
  readonly to: string
  readonly subject: string
  readonly html: string | null
  readonly text: string | null
}

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
>()("sallyport/core/Mailer") {}

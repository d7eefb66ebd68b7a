import { Data, type DateTime } from "effect"
import type { MailId, RealmId } from "./Ids.ts"

/** An email to one recipient. The mailer builds the headers from these fields. */
export interface Mail {
  readonly realmId: RealmId
  /** The message id, without angle brackets. All attempts to send the email use the same one. */
  readonly messageId: string
  readonly from: { readonly address: string; readonly name: string | null }
  readonly to: string
  readonly subject: string
  readonly html: string | null
  readonly text: string | null
}

/** An email stored in the service's own mailbox instead of being sent. */
export interface StoredMail extends Mail {
  readonly id: MailId
  /** The raw message including headers, as a mail server would receive it. */
  readonly source: string
  readonly createdAt: DateTime.Utc
}

/** A filter for stored emails. */
export interface MailFilter {
  readonly realmId: string | undefined
  /** The recipient's full address. */
  readonly to: string | undefined
  /** Part of the recipient's address. */
  readonly toPart: string | undefined
  readonly createdAfter: DateTime.Utc | undefined
  /** An email's id. Only emails stored after it match. */
  readonly newerThan: string | undefined
}

export class MailNotFound extends Data.TaggedError("MailNotFound")<{ readonly id: string }> {}

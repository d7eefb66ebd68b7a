import { Data, type DateTime } from "effect"
import type { MailId, RealmId } from "./Ids.ts"

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

/** A mail that stays here, in place of going out. */
export interface KeptMail extends Mail {
  readonly id: MailId
  /** The whole mail, headers included, as a mail server would have got it. */
  readonly source: string
  readonly createdAt: DateTime.Utc
}

/** Which of the mails that stay here. */
export interface MailFilter {
  readonly realmId: string | undefined
  /** The recipient's whole address. */
  readonly to: string | undefined
  /** A part of it. */
  readonly toPart: string | undefined
  readonly createdAfter: DateTime.Utc | undefined
}

/** No mail with this id is here, or not any more. */
export class MailNotFound extends Data.TaggedError("MailNotFound")<{ readonly id: string }> {}

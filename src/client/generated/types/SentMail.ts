// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A sent mail. */
export interface SentMail {
  /** The type of the object: always `sent_mail`. */
  readonly object: "sent_mail"
  /** The address to which the email goes. */
  readonly email: string
  /**
   * How it gets there: through the mail server (`server`); not at all, because a test service stores it in its mailbox
   * (`mailbox`); or by the receiver of a webhook, because the realm has no active email template for it (`webhook`).
   */
  readonly delivery: "server" | "mailbox" | "webhook"
}

// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A message. */
export interface Message {
  /** The email's ID, which begins with `ml_`. */
  readonly id: string
  /** The type of the object: always `message`. */
  readonly object: "message"
  /** The ID of the realm that sent the email. */
  readonly realm_id: string
  /** The `Message-ID` header. Emails with the same value are only stored once. */
  readonly message_id: string
  /** The sender's address. */
  readonly from: string
  /** The sender's name; null if none. */
  readonly from_name: string | null
  /** The recipient's address. */
  readonly to: string
  /** The subject. */
  readonly subject: string
  /** The body as text; null if there is none. */
  readonly text: string | null
  /** The body as HTML; null if there is none. */
  readonly html: string | null
  /** The entire message with its headers, as a mail server would have received it. */
  readonly source: string
  /** Unix time in seconds, with up to three decimals, at which the email was stored. */
  readonly created_at: number
  /** The web links in the text, followed by links that are only in the HTML. */
  readonly links: ReadonlyArray<string>
  /** The six-digit codes in the bodies, for emails with your own templates. The default emails contain links. */
  readonly codes: ReadonlyArray<string>
}

// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A mail preview. */
export interface MailPreview {
  /** The type of the object: always `mail_preview`. */
  readonly object: "mail_preview"
  /** The ID of the event that the email is about; null for sample data. */
  readonly event_id: string | null
  /** The sender. */
  readonly from: {
    /** The address. */
    readonly address: string
    /** The name, or null. */
    readonly name: string | null
  }
  /** The recipient. */
  readonly to: string
  /** The subject. */
  readonly subject: string
  /** The text part; null if there is none. */
  readonly text: string | null
  /** The HTML part; null if there is none. */
  readonly html: string | null
}

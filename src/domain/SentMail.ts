/** How an email reaches a user: through a mail server, into the mailbox of a test service, or by the receiver of a webhook. */
export const mailDeliveries = ["server", "mailbox", "webhook"] as const

/** An email that an operator had sent to a user. It is delivered after the response. */
export interface SentMail {
  readonly email: string
  readonly delivery: (typeof mailDeliveries)[number]
}

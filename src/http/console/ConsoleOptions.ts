/** What the console needs to know of the service. */
export interface ConsoleOptions {
  /** Whether there is a console. */
  readonly console: boolean
  readonly publicUrl: string
  readonly loginDomain: string
  readonly region: string
  readonly headerPrefix: string
  /** Whether mails stay in the local mailbox. */
  readonly mailbox: boolean
  /** Whether callers may advance the clock. */
  readonly testMode: boolean
  /** Whether mails, webhooks and logout notices are delivered; otherwise they wait (C193). */
  readonly delivers: boolean
}

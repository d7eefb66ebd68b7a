/** The settings of the service that the console needs. */
export interface ConsoleOptions {
  /** Whether the console is enabled. */
  readonly console: boolean
  readonly publicUrl: string
  readonly loginDomain: string
  readonly region: string
  readonly headerPrefix: string
  /** Whether emails stay in the local mailbox. */
  readonly mailbox: boolean
  /** Whether callers can advance the clock. */
  readonly testMode: boolean
  /** Whether emails, webhooks and logout notices are delivered; otherwise they wait (C193). */
  readonly delivers: boolean
}

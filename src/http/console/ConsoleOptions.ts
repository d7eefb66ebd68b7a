/** The service settings that the console needs. */
export interface ConsoleOptions {
  /** Whether the console is enabled. */
  readonly console: boolean
  readonly publicUrl: string
  readonly loginDomain: string
  readonly region: string
  readonly headerPrefix: string
  /** Whether emails are stored in the local mailbox instead of being sent. */
  readonly mailbox: boolean
  /** Whether callers can advance the clock. */
  readonly testMode: boolean
  /** Whether emails, webhooks and logout notices are delivered. If not, they wait in the queue (C193). */
  readonly delivers: boolean
}

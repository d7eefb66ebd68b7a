/**
 * Why hosted login does not go on, for programs.
 *
 * - `unknown_state`: the login was not started in this tab, or long ago. Start another.
 * - `malformed_token`: what the pages handed over is no login token.
 * - `storage_blocked`: the browser keeps nothing for this site, so that no login can be recognized.
 * - `unreachable`: the pages did not answer, or the app has no handler or redirect URI at this page's origin.
 * - `no_browser`: there is no window, as on a server.
 */
export type HostedLoginErrorCode =
  | "unknown_state"
  | "malformed_token"
  | "storage_blocked"
  | "unreachable"
  | "no_browser"

/** Hosted login does not go on. `code` says why. */
export class HostedLoginError extends Error {
  override readonly name = "HostedLoginError"
  readonly code: HostedLoginErrorCode

  constructor(code: HostedLoginErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}

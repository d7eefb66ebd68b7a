/**
 * Error codes of hosted login.
 *
 * - `unknown_state`: the login was not started in this tab, or too long ago. Start another.
 * - `malformed_token`: the pages did not return a login token.
 * - `storage_blocked`: the browser blocks storage for this site, so no login can be recognized.
 * - `unreachable`: the pages did not respond, or the app has no handler or redirect URI at this page's origin.
 * - `no_browser`: there is no window, as on a server.
 */
export type HostedLoginErrorCode =
  | "unknown_state"
  | "malformed_token"
  | "storage_blocked"
  | "unreachable"
  | "no_browser"

/** A hosted login failed, for the reason in `code`. */
export class HostedLoginError extends Error {
  override readonly name = "HostedLoginError"
  readonly code: HostedLoginErrorCode

  constructor(code: HostedLoginErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}

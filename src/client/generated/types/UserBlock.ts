// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A user block. */
export interface UserBlock {
  /** The type of the object: always `user_block`. */
  readonly object: "user_block"
  /**
   * What the user can't do: log in with a password, enter an authenticator app's code (`code`), a code sent by email
   * (`email_code`) or the code of a device (`device_code`), or receive emails (`email`).
   */
  readonly blocks: "password" | "code" | "email_code" | "device_code" | "email"
  /** Why: too many wrong passwords or codes (`failed_attempts`), or a rate limit (`rate_limit`). */
  readonly reason: "failed_attempts" | "rate_limit"
  /** The name of the rate limit, such as `attempts`; null for other reasons. */
  readonly limit: string | null
  /** Whether the block concerns only one browser in which the user has logged in before. */
  readonly only_in_browser: boolean
  /** Unix time in seconds at which the block ends by itself. */
  readonly ends_at: number
}

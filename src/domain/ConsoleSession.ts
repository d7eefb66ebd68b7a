import { Data, type DateTime } from "effect"
import type { Caller } from "./Caller.ts"

/** How long a session of the console lasts at most. */
export const CONSOLE_SESSION_HOURS = 12

/** A session of the console. Its caller is that of the API key that began it. */
export interface ConsoleSession {
  /** The digest of the secret in the cookie. */
  readonly id: string
  readonly caller: Caller["Service"]
  /** The name of the key. */
  readonly keyName: string
  readonly createdAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
}

/** There is no such session of the console, or it has ended. */
export class ConsoleSessionNotFound extends Data.TaggedError("ConsoleSessionNotFound") {}

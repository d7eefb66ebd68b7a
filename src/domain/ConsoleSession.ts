import { Data, type DateTime } from "effect"
import type { Caller } from "./Caller.ts"
import type { SessionId } from "./Ids.ts"

/** The maximum lifetime of a console session, in hours. */
export const CONSOLE_SESSION_HOURS = 12

/** A session in the console. It has the permissions of the API key or the operator that logged in. */
export interface ConsoleSession {
  /** The digest of the secret in the cookie. */
  readonly id: string
  readonly caller: Caller["Service"]
  /** The name of the API key, or the operator's email. */
  readonly name: string
  /** The operator's login session. When it ends, so does the console session. Null for an API key. */
  readonly loginSessionId: SessionId | null
  readonly createdAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
}

/** The console session does not exist, or has ended. */
export class ConsoleSessionNotFound extends Data.TaggedError("ConsoleSessionNotFound") {}

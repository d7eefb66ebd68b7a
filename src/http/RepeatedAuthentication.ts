import { Context, Effect } from "effect"
import type { WireError } from "#api/Errors"

/**
 * Checks again that the caller of a streamed request exists and has the required permission. Streamed requests take long, so
 * their handlers repeat this check before each batch. It doesn't count against the caller's rate limits (SEC-284).
 */
export const RepeatedAuthentication = Context.Reference<Effect.Effect<void, WireError>>(
  "sallyport/http/RepeatedAuthentication",
  { defaultValue: () => Effect.void }
)

import { Schema } from "effect"
import { describe, objectType } from "../Description.ts"
import { MaybeTime, RecordedRequest } from "../Wire.ts"

/** What sessions show under both versions. */
export const session = {
  id: describe(Schema.String, "The session's ID, which begins with `kss_`."),
  object: objectType("session"),
  created_at: describe(Schema.Finite, "Unix time in seconds, with up to three decimals, at which the session began."),
  expires_at: describe(
    MaybeTime,
    "Unix time in seconds, with up to three decimals, at which the session and its token expire; null if never."
  ),
  user_id: describe(Schema.String, "The ID of the user who is logged in."),
  request: describe(Schema.NullOr(RecordedRequest), "The request attributes that the session began with; null if none.")
}

/** The login token of a session. */
export const tokenText =
  "The login token: a JWT that your app can verify by itself. Null below level `write` if the realm's `session_tokens` is `write`."

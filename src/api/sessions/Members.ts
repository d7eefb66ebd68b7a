import { Schema } from "effect"
import { assuranceLevels } from "#domain/Authentication"
import { describe, objectType } from "../Description.ts"
import { MaybeTime, RecordedRequest } from "../Wire.ts"

/** The members of a session in both versions. */
export const session = {
  id: describe(Schema.String, "The session's ID, which begins with `kss_`."),
  object: objectType("session"),
  created_at: describe(Schema.Finite, "Unix time in seconds, with up to three decimals, at which the session began."),
  expires_at: describe(
    MaybeTime,
    "Unix time in seconds, with up to three decimals, at which the session and its token expire; null if never."
  ),
  user_id: describe(Schema.String, "The ID of the user who is logged in."),
  auth_time: describe(
    Schema.NullOr(Schema.Int),
    "Unix time in whole seconds at which the user logged in, or was last asked to again; null if a program with a key began the session. The claim `auth_time` of its tokens."
  ),
  amr: describe(
    Schema.Array(Schema.String),
    "How the user logged in, in the words of RFC 8176: `pwd` for a password, `otp` for a code of an app, of a mail or from a list, `hwk` or `swk` for a passkey of one device or a synced one, `fed` for another provider, and `mfa` if these were two factors. Empty if `auth_time` is null. The claim `amr` of its tokens."
  ),
  acr: describe(
    Schema.NullOr(Schema.Literals(assuranceLevels)),
    "The level of the login: `aal1` for one factor, `aal2` for two; null if `auth_time` is null. The claim `acr` of its tokens."
  ),
  last_seen_at: describe(
    MaybeTime,
    "Unix time in seconds, with up to three decimals, at which a page or a request last checked the session here, at most a minute behind; null if none has. Apps that check tokens by themselves leave no trace."
  ),
  request: describe(Schema.NullOr(RecordedRequest), "The request attributes that the session began with; null if none.")
}

/** The login token of a session. */
export const tokenText =
  "The login token: a JWT that your app can verify by itself. Null below level `write` if the realm's `session_tokens` is `write`."

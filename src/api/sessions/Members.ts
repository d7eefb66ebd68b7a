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
    "Unix time in whole seconds at which the user logged in, or last confirmed the login on request; null if an API key created the session. Also the claim `auth_time` of its tokens."
  ),
  amr: describe(
    Schema.Array(Schema.String),
    "The methods by which the user logged in, as defined in RFC 8176: `pwd` for a password, `otp` for a code from an app, an email or a list of recovery codes, `hwk` for a passkey of one device, `swk` for a synced passkey, `fed` for another provider, and `mfa` if two factors were used. Empty if `auth_time` is null. Also the claim `amr` of its tokens."
  ),
  acr: describe(
    Schema.NullOr(Schema.Literals(assuranceLevels)),
    "The assurance level of the login: `aal1` for one factor, `aal2` for two; null if `auth_time` is null. Also the claim `acr` of its tokens."
  ),
  last_seen_at: describe(
    MaybeTime,
    "Unix time in seconds, with up to three decimals, at which the service last checked the session, to the minute; null if never. Apps that verify tokens locally don't update it."
  ),
  request: describe(
    Schema.NullOr(RecordedRequest),
    "The request attributes sent when the session was created; null if there were none."
  )
}

/** The login token of a session. */
export const tokenText =
  "The login token: a JWT that your app can verify locally. Null for keys below level `write` if the realm's `session_tokens` is `write`."

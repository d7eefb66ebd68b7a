import { Schema } from "effect"
import { describe } from "../Description.ts"
import { custom } from "../memberships/Members.ts"
import { MembershipBody, userItemFields } from "../memberships/V2.ts"
import { expandQuery, MaybeText, realmQuery, Text } from "../Wire.ts"
import { sessions } from "./Endpoints.ts"
import { session, tokenText } from "./Members.ts"

const sessionFields = {
  id: session.id,
  object: session.object,
  client_app_id: describe(
    MaybeText,
    "The ID of the connected app on whose pages the user logged in; null if the session was created in another way."
  ),
  created_at: session.created_at,
  expires_at: session.expires_at,
  auth_time: session.auth_time,
  amr: session.amr,
  acr: session.acr,
  last_seen_at: session.last_seen_at,
  user_id: session.user_id,
  request: session.request
}

/** A session in a list. */
export const SessionItem = Schema.Struct(sessionFields).annotate({ identifier: "SessionItem" })

/**
 * A session with its token and its user. For callers below level `write`, `token` is null if the realm's `session_tokens` is
 * `write`.
 */
export const SessionBody = Schema.Struct({
  ...sessionFields,
  token: describe(MaybeText, tokenText),
  user: describe(
    Schema.Struct({
      ...userItemFields,
      custom,
      memberships: describe(
        Schema.optionalKey(Schema.Array(MembershipBody)),
        "The user's memberships with their orgs. Only with `expand=memberships`."
      )
    }).annotate({ identifier: "SessionUser" }),
    "The user who is logged in."
  )
}).annotate({ identifier: "Session" })

/** Sessions of `/v2`. */
export class SessionsV2 extends sessions("v2", {
  item: SessionItem,
  body: SessionBody,
  getQuery: {
    ...realmQuery,
    ...expandQuery("memberships"),
    org_id: Schema.optionalKey(Text())
  }
}) {}

import { Schema } from "effect"
import { TokenInPath } from "../Access.ts"
import { describe } from "../Description.ts"
import { custom } from "../memberships/Members.ts"
import { MembershipBody, userItemFields } from "../memberships/V1.ts"
import { expandQuery, realmQuery } from "../Wire.ts"
import { sessions } from "./Endpoints.ts"
import { session, tokenText } from "./Members.ts"

const sessionFields = {
  id: session.id,
  object: session.object,
  user_id: session.user_id,
  created_at: session.created_at,
  expires_at: session.expires_at,
  auth_time: session.auth_time,
  amr: session.amr,
  acr: session.acr,
  last_seen_at: session.last_seen_at,
  request: session.request
}

/** A session in a list. */
export const SessionItem = Schema.Struct(sessionFields).annotate({ identifier: "SessionItemV1" })

/**
 * A session with its user. The token is included on creation or with `expand`, unless the realm hides tokens from the caller's
 * API key.
 */
export const SessionBody = Schema.Struct({
  ...sessionFields,
  token: describe(
    Schema.optionalKey(Schema.NullOr(Schema.String)),
    `${tokenText} Only for a new session or with \`expand=token\`.`
  ),
  user: describe(
    Schema.Struct({
      ...userItemFields,
      custom,
      memberships: describe(
        Schema.optionalKey(Schema.Array(MembershipBody)),
        "The user's memberships with their orgs. Only with `expand=memberships`."
      )
    }).annotate({ identifier: "SessionUserV1" }),
    "The user who is logged in."
  )
}).annotate({ identifier: "SessionV1" })

/** Sessions of `/v1`. `session_id` is an ID or a full login token. */
export class SessionsV1 extends sessions("v1", {
  item: SessionItem,
  body: SessionBody,
  getQuery: { ...realmQuery, ...expandQuery("memberships", "token") }
}).annotateEndpoints(TokenInPath, true) {}

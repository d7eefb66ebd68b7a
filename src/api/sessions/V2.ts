import { Schema } from "effect"
import { MembershipBody, userItemFields } from "../memberships/V2.ts"
import { Custom, expandQuery, MaybeText, MaybeTime, realmQuery, Text } from "../Wire.ts"
import { sessions } from "./Endpoints.ts"

const sessionFields = {
  id: Schema.String,
  object: Schema.Literal("session"),
  client_app_id: MaybeText,
  created_at: Schema.Finite,
  expires_at: MaybeTime,
  user_id: Schema.String,
  request: Schema.NullOr(Schema.Struct({ ip: MaybeText, client: MaybeText }))
}

/** A session in a list. */
export const SessionItem = Schema.Struct(sessionFields).annotate({ identifier: "SessionItem" })

/** A session with its token and its user. `token` is null below level `write` if the realm's `session_tokens` is `write`. */
export const SessionBody = Schema.Struct({
  ...sessionFields,
  token: MaybeText,
  user: Schema.Struct({
    ...userItemFields,
    custom: Custom,
    memberships: Schema.optionalKey(Schema.Array(MembershipBody))
  })
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

import { Schema } from "effect"
import { MembershipBody, userItemFields } from "../memberships/V2.ts"
import { Custom, expanding, inRealm, MaybeText, MaybeTime, Text } from "../Wire.ts"
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

/** A session in a list: without token. */
export const SessionItem = Schema.Struct(sessionFields).annotate({ identifier: "SessionItem" })

/** A session with its token and its user. `token`: null below level `write` where the realm's `session_tokens` says so. */
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
  reading: {
    ...inRealm,
    expand: Schema.optionalKey(expanding(["memberships"])),
    org_id: Schema.optionalKey(Text())
  }
}) {}

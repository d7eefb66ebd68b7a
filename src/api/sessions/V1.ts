import { Schema } from "effect"
import { TokenInPath } from "../Access.ts"
import { MembershipBody, userItemFields } from "../memberships/V1.ts"
import { Custom, expandQuery, MaybeText, MaybeTime, realmQuery } from "../Wire.ts"
import { sessions } from "./Endpoints.ts"

const sessionFields = {
  id: Schema.String,
  object: Schema.Literal("session"),
  user_id: Schema.String,
  created_at: Schema.Finite,
  expires_at: MaybeTime,
  request: Schema.NullOr(Schema.Struct({ ip: MaybeText, client: MaybeText }))
}

/** A session in a list. */
export const SessionItem = Schema.Struct(sessionFields).annotate({ identifier: "SessionItemV1" })

/** A session with its user. It has a token when it was created or when `expand` asks for it, unless the realm hides it from the key. */
export const SessionBody = Schema.Struct({
  ...sessionFields,
  token: Schema.optionalKey(Schema.NullOr(Schema.String)),
  user: Schema.Struct({
    ...userItemFields,
    custom: Custom,
    memberships: Schema.optionalKey(Schema.Array(MembershipBody))
  })
}).annotate({ identifier: "SessionV1" })

/** Sessions of `/v1`. `session_id` is an id or a full login token. */
export class SessionsV1 extends sessions("v1", {
  item: SessionItem,
  body: SessionBody,
  getQuery: { ...realmQuery, ...expandQuery("memberships", "token") }
}).annotateEndpoints(TokenInPath, true) {}

import { Schema } from "effect"
import { TokenInPath } from "../Access.ts"
import { MembershipBody, userItemFields } from "../memberships/V1.ts"
import { Custom, expanding, inRealm, MaybeText, MaybeTime } from "../Wire.ts"
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

/** A session with its user; with a token where it was created or one was asked for, which a realm can keep from readers. */
export const SessionBody = Schema.Struct({
  ...sessionFields,
  token: Schema.optionalKey(Schema.NullOr(Schema.String)),
  user: Schema.Struct({
    ...userItemFields,
    custom: Custom,
    memberships: Schema.optionalKey(Schema.Array(MembershipBody))
  })
}).annotate({ identifier: "SessionV1" })

/** Sessions of `/v1`. `session_id`: id or full login token. */
export class SessionsV1 extends sessions("v1", {
  item: SessionItem,
  body: SessionBody,
  reading: { ...inRealm, expand: Schema.optionalKey(expanding(["memberships", "token"])) }
}).annotateEndpoints(TokenInPath, true) {}

import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { ErrorResponses, RequiredLevel, Resource } from "../Access.ts"
import { listOf, MaybeText, pageQuery, QueryInteger, QueryTime, Text } from "../Wire.ts"
import { MailboxAccess } from "./Access.ts"

/** A kept mail. `source` is the whole mail with its headers; `links` and `codes` are those found in its bodies. */
export const MessageBody = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("message"),
  realm_id: Schema.String,
  message_id: Schema.String,
  from: Schema.String,
  from_name: MaybeText,
  to: Schema.String,
  subject: Schema.String,
  text: MaybeText,
  html: MaybeText,
  source: Schema.String,
  created_at: Schema.Finite,
  links: Schema.Array(Schema.String),
  codes: Schema.Array(Schema.String)
}).annotate({ identifier: "Message" })

/** How long a request can wait for a mail, in seconds. */
export const LONGEST_WAIT = 30

const { after, max_results, realm_id } = pageQuery(["id"], 100)

const filter = { to: Schema.optionalKey(Text()), realm_id }

/** The kept mails, newest first. `wait` is how many seconds to wait if there is none yet. */
export class MessagesV2 extends HttpApiGroup.make("v2.test_messages")
  .add(
    HttpApiEndpoint.get("list", "/", {
      disableCodecs: true,
      query: {
        ...filter,
        after,
        max_results,
        created_at_after: Schema.optionalKey(QueryTime),
        wait: Schema.optionalKey(QueryInteger(0, LONGEST_WAIT))
      },
      success: listOf(MessageBody)
    }),
    HttpApiEndpoint.get("get", "/:message_id", {
      disableCodecs: true,
      params: { message_id: Schema.String },
      success: MessageBody
    }),
    HttpApiEndpoint.delete("clear", "/", { disableCodecs: true, query: filter })
  )
  .prefix("/v2/test/messages")
  .annotateEndpoints(RequiredLevel, "admin_all_realms")
  .annotateEndpoints(Resource, "message")
  .middleware(MailboxAccess)
  .middleware(ErrorResponses) {}

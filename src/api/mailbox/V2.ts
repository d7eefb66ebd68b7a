import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Answer, RequiredLevel, Resource } from "../Access.ts"
import { listOf, MaybeText, paging, Text, TimeNumeral, WholeNumeral } from "../Wire.ts"
import { MailboxAccess } from "./Access.ts"

/** A mail that stays here. `source`: the whole of it, headers included; `links` and `codes`: found in its bodies. */
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

/** The longest, in seconds, that a call waits for a mail. */
export const LONGEST_WAIT = 30

const { after, max_results, realm_id } = paging(["id"], 100)

const filter = { to: Schema.optionalKey(Text()), realm_id }

/** The mails that stay here, the newest first. `wait`: how many seconds to wait where there is none yet. */
export class MessagesV2 extends HttpApiGroup.make("v2.test_messages")
  .add(
    HttpApiEndpoint.get("list", "/", {
      disableCodecs: true,
      query: {
        ...filter,
        after,
        max_results,
        created_at_after: Schema.optionalKey(TimeNumeral),
        wait: Schema.optionalKey(WholeNumeral(0, LONGEST_WAIT))
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
  .middleware(Answer) {}

import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { isId } from "#domain/Ids"
import { ErrorResponses, RequiredLevel, Resource } from "../Access.ts"
import { describe, objectType } from "../Description.ts"
import { listOf, MaybeText, pageQuery, QueryInteger, QueryTime, Text } from "../Wire.ts"
import { MailboxAccess } from "./Access.ts"

/** A stored email. `source` is the entire message with its headers. `links` and `codes` are extracted from its bodies. */
export const MessageBody = Schema.Struct({
  id: describe(Schema.String, "The email's ID, which begins with `ml_`."),
  object: objectType("message"),
  realm_id: describe(Schema.String, "The ID of the realm that sent the email."),
  message_id: describe(Schema.String, "The `Message-ID` header. Emails with the same value are only stored once."),
  from: describe(Schema.String, "The sender's address."),
  from_name: describe(MaybeText, "The sender's name; null if none."),
  to: describe(Schema.String, "The recipient's address."),
  subject: describe(Schema.String, "The subject."),
  text: describe(MaybeText, "The body as text; null if there is none."),
  html: describe(MaybeText, "The body as HTML; null if there is none."),
  source: describe(Schema.String, "The entire message with its headers, as a mail server would have received it."),
  created_at: describe(
    Schema.Finite,
    "Unix time in seconds, with up to three decimals, at which the email was stored."
  ),
  links: describe(
    Schema.Array(Schema.String),
    "The web links in the text, followed by links that are only in the HTML."
  ),
  codes: describe(
    Schema.Array(Schema.String),
    "The six-digit codes in the bodies, for emails with your own templates. The default emails contain links."
  )
}).annotate({ identifier: "Message" })

/** The maximum time that a request can wait for an email, in seconds. */
export const MAX_WAIT = 30

/** The ID of an email, or blank. */
const NewerThan = Schema.String.check(
  Schema.makeFilter((id) => id === "" || isId("mail", id), { problem: { code: "invalid" } })
)

const { after, max_results, realm_id } = pageQuery(["id"], 100)

const filter = { to: Schema.optionalKey(Text()), realm_id }

/** The stored emails, newest first. If there are none yet, the request waits for `wait` seconds. */
export class MessagesV2 extends HttpApiGroup.make("v2.test_messages")
  .add(
    HttpApiEndpoint.get("list", "/", {
      disableCodecs: true,
      query: {
        ...filter,
        after,
        max_results,
        created_at_after: Schema.optionalKey(QueryTime),
        newer_than: Schema.optionalKey(NewerThan),
        wait: Schema.optionalKey(QueryInteger(0, MAX_WAIT))
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

import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware } from "effect/http-api"
import { Answer, RequiredLevel, Resource } from "../Access.ts"
import { WireErrors } from "../Errors.ts"
import { listOf, paging, Text, TimeNumeral, WholeNumeral } from "../Wire.ts"

/** Lets in whoever calls from the service's own machine; anyone else needs a key of the level. */
export class MailboxAccess extends HttpApiMiddleware.Service<MailboxAccess>()("sallyport/api/MailboxAccess", {
  error: WireErrors
}) {}

const MaybeText = Schema.NullOr(Schema.String)

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
class Messages extends HttpApiGroup.make("v2.test_messages")
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

const Page = Schema.String

const mail = { message_id: Schema.String }

/** The same as pages to look at; `html` is a mail's own, for the frame that holds it. */
class Pages extends HttpApiGroup.make("mailbox")
  .add(
    HttpApiEndpoint.get("list", "/", {
      disableCodecs: true,
      query: { to: Schema.optionalKey(Schema.String), after },
      success: Page
    }),
    HttpApiEndpoint.get("mail", "/:message_id", {
      disableCodecs: true,
      params: mail,
      query: { view: Schema.optionalKey(Schema.String) },
      success: Page
    }),
    HttpApiEndpoint.get("html", "/:message_id/html", { disableCodecs: true, params: mail, success: Page })
  )
  .prefix("/mailbox")
  .annotateEndpoints(RequiredLevel, "admin_all_realms")
  .annotateEndpoints(Resource, "message")
  .middleware(MailboxAccess)
  .middleware(Answer) {}

/** What only a service answers whose mails stay here (decision 38). */
export class MailboxApi extends HttpApi.make("sallyport-mailbox")
  .annotate(HttpApi.ParseOptions, { errors: "all" })
  .add(Messages)
  .add(Pages) {}

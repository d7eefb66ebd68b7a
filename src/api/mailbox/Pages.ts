import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { ErrorResponses, RequiredLevel, Resource } from "../Access.ts"
import { pageQuery } from "../Wire.ts"
import { MailboxAccess } from "./Access.ts"

const { after } = pageQuery(["id"], 100)

const Page = Schema.String

const mail = { message_id: Schema.String }

/** The stored emails as web pages. `html` serves the HTML body of an email for the frame on the email's page. */
export class MailboxPages extends HttpApiGroup.make("mailbox")
  .add(
    HttpApiEndpoint.get("list", "/", {
      disableCodecs: true,
      query: { to: Schema.optionalKey(Schema.String), after },
      success: Page
    }),
    HttpApiEndpoint.get("mail", "/:message_id", {
      disableCodecs: true,
      params: mail,
      query: {
        view: Schema.optionalKey(Schema.String),
        width: Schema.optionalKey(Schema.String),
        theme: Schema.optionalKey(Schema.String)
      },
      success: Page
    }),
    HttpApiEndpoint.get("html", "/:message_id/html", {
      disableCodecs: true,
      params: mail,
      query: { theme: Schema.optionalKey(Schema.String) },
      success: Page
    })
  )
  .prefix("/mailbox")
  .annotateEndpoints(RequiredLevel, "admin_all_realms")
  .annotateEndpoints(Resource, "message")
  .middleware(MailboxAccess)
  .middleware(ErrorResponses) {}

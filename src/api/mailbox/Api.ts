import { HttpApi } from "effect/http-api"
import { MailboxPages } from "./Pages.ts"
import { MessagesV2 } from "./V2.ts"

/** The endpoints of the local mailbox. They exist only if emails are stored instead of sent (C38). */
export class MailboxApi extends HttpApi.make("sallyport-mailbox")
  .annotate(HttpApi.ParseOptions, { errors: "all" })
  .add(MessagesV2)
  .add(MailboxPages) {}

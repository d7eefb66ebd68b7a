import { HttpApi } from "effect/http-api"
import { MailboxPages } from "./Pages.ts"
import { MessagesV2 } from "./V2.ts"

/** What only a service answers whose mails stay here (decision 38). */
export class MailboxApi extends HttpApi.make("sallyport-mailbox")
  .annotate(HttpApi.ParseOptions, { errors: "all" })
  .add(MessagesV2)
  .add(MailboxPages) {}

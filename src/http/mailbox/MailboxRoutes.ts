import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { MailboxApi } from "#api/mailbox/Api"
import { AccessLayer } from "../Access.ts"
import { ErrorResponsesLayer } from "../ErrorResponses.ts"
import { MailboxAccessLayer } from "./MailboxAccess.ts"
import { PagesHandlers } from "./Pages.ts"
import { MessagesHandlers } from "./V2.ts"

/** `/mailbox` and `/v2/test/messages`. They exist only if the service stores emails instead of sending them. */
export const MailboxRoutes = (options: { readonly publicUrl: string }) =>
  HttpApiBuilder.layer(MailboxApi).pipe(
    Layer.provide([MessagesHandlers, PagesHandlers(options)]),
    Layer.provide([MailboxAccessLayer, ErrorResponsesLayer]),
    Layer.provide(AccessLayer)
  )

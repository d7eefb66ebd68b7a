import { HttpApiMiddleware } from "effect/http-api"
import { WireErrors } from "../Errors.ts"

/** Lets in whoever calls from the service's own machine; anyone else needs a key of the level. */
export class MailboxAccess extends HttpApiMiddleware.Service<MailboxAccess>()("sallyport/api/MailboxAccess", {
  error: WireErrors
}) {}

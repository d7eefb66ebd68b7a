import { HttpApiMiddleware } from "effect/http-api"
import { WireErrors } from "../Errors.ts"

/** Admits requests from the service's own machine. All other requests need an API key of the required level. */
export class MailboxAccess extends HttpApiMiddleware.Service<MailboxAccess>()("sallyport/api/MailboxAccess", {
  error: WireErrors
}) {}

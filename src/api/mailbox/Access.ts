import { HttpApiMiddleware } from "effect/http-api"
import { WireErrors } from "../Errors.ts"

/** Admits requests from the service's own machine. Others need a key of the required level. */
export class MailboxAccess extends HttpApiMiddleware.Service<MailboxAccess>()("sallyport/api/MailboxAccess", {
  error: WireErrors
}) {}

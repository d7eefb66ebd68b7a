import { Context } from "effect"

/** The reason a request gets a 503 response. It is meant for the operator's log and never shown to the caller. */
export interface Refusal {
  readonly reason: string
  /** Whether the database cannot be reached. */
  readonly isDatabaseUnreachable: boolean
  /** The class of the database error that is the cause, if any. */
  readonly databaseError?: string
}

/** The facts about a request that its response, log line and metrics need. */
export interface RequestContext {
  readonly requestId: string
  /** The id of the trace that the request belongs to, or undefined if requests are not traced. */
  traceId: string | undefined
  /** The `Accept-Language` header. */
  readonly acceptLanguage: string | undefined
  /** The default locale of the realm, once the realm is known. */
  realmLocale: string | undefined
  /** The template of the matched route, once a route has matched. */
  route: string | undefined
  /** Whether the request waits for something to happen. Its slow response is then not logged. */
  waits: boolean
  /** The reason for a 503 response, if there is one. */
  refusal: Refusal | undefined
  /** Additional response headers, besides those set by the handler. */
  headers: Readonly<Record<string, string>> | undefined
}

/** The context of the current request. The default applies to work not started by a request. */
export const CurrentRequestContext = Context.Reference<RequestContext>("sallyport/platform/CurrentRequestContext", {
  defaultValue: () => ({
    requestId: "",
    traceId: undefined,
    acceptLanguage: undefined,
    realmLocale: undefined,
    route: undefined,
    waits: false,
    refusal: undefined,
    headers: undefined
  })
})

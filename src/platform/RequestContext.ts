import { Context } from "effect"

/** Why a request is answered with 503: for the log of the operator, never for the caller. */
export interface Refusal {
  readonly reason: string
  /** Whether the database cannot be reached. */
  readonly isDatabaseAway: boolean
  /** The class of the error of the database, where that is why. */
  readonly databaseError?: string
}

/** The facts of one request that its response, its log line and its metrics need. */
export interface RequestContext {
  readonly requestId: string
  /** The trace that the request belongs to; undefined where requests are not traced. */
  traceId: string | undefined
  /** The `Accept-Language` header. */
  readonly acceptLanguage: string | undefined
  /** The default locale of the realm, once the realm is known. */
  realmLocale: string | undefined
  /** The template of the matched route, once a route has matched. */
  route: string | undefined
  /** Whether the request waits for something to happen, so that a slow response is not logged. */
  waits: boolean
  /** Why the request is answered with 503, if it is. */
  refusal: Refusal | undefined
  /** Headers that the response has besides those of its handler. */
  headers: Readonly<Record<string, string>> | undefined
}

/** The context of the current request. The default is for work that no request started. */
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

import { Context } from "effect"

/** Why a request gets a 503 response: for the operator's log, never for the caller. */
export interface Refusal {
  readonly reason: string
  /** Whether the database cannot be reached. */
  readonly isDatabaseUnreachable: boolean
  /** The class of the database error, if one is the cause. */
  readonly databaseError?: string
}

/** The facts of one request that its response, its log line and its metrics need. */
export interface RequestContext {
  readonly requestId: string
  /** The trace that the request belongs to; undefined if requests are not traced. */
  traceId: string | undefined
  /** The `Accept-Language` header. */
  readonly acceptLanguage: string | undefined
  /** The default locale of the realm, once the realm is known. */
  realmLocale: string | undefined
  /** The template of the matched route, once a route has matched. */
  route: string | undefined
  /** Whether the request waits for something to happen, so that a slow response is not logged. */
  waits: boolean
  /** Why the response is 503, if it is. */
  refusal: Refusal | undefined
  /** Headers of the response in addition to those of its handler. */
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

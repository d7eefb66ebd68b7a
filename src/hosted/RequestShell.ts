import { type Cause, Data, Effect, Option } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { acceptedLanguages, languageIn } from "#api/Messages"
import { ConnectedApps } from "#core/apps/ConnectedApps"
import { Realms } from "#core/realms/Realms"
import { consoleApp } from "#core/realms/SystemRealm"
import { type ConnectedApp, ConnectedAppNotFound, CurrentApp } from "#domain/ConnectedApp"
import { RequestOrigin, userAgentOf } from "#domain/Event"
import { CurrentActor, visitorOf } from "#domain/EventActor"
import { CurrentBrowser } from "#domain/Login"
import { PageOrigin } from "#domain/PageOrigin"
import { CurrentRealm, systemRealm } from "#domain/Realm"
import { PresentedDevices } from "#domain/TrustedDevice"
import { VisitorLanguage } from "#domain/VisitorLanguage"
import { type Admission, makeAdmission } from "#platform/Admission"
import { makeBodyAdmission } from "#platform/BodyAdmission"
import { type Client, ClientAddress } from "#platform/ClientAddress"
import { LocalMailbox } from "#platform/LocalMailbox"
import { LoginDomains } from "#platform/LoginDomains"
import { CurrentRequestContext, type Refusal } from "#platform/RequestContext"
import { type Unavailability, unavailabilityIn } from "#platform/Transaction"
import { knownBrowserIn } from "./cookies/KnownBrowserCookie.ts"
import { trustedDevicesIn } from "./cookies/TrustedDeviceCookie.ts"
import { type AppPageContext, type PageContext, pageContext, type RealmPageContext } from "./PageContext.ts"

type HttpRequest = HttpServerRequest.HttpServerRequest
type HttpResponse = HttpServerResponse.HttpServerResponse

/** The requested path does not support the method. */
export class MethodNotAllowed extends Data.TaggedError("MethodNotAllowed") {}

/** A request to hosted login in a known realm. */
export interface HostedRequest {
  readonly http: HttpRequest
  readonly context: RealmPageContext
  /** The origin of the pages. It comes from the configuration, never from `Host` (SEC-37). */
  readonly origin: string
  readonly client: Client
  /** The secrets that identify the browser as one in which users have logged in before. */
  readonly knownBrowser: ReadonlyArray<string>
  /** The secrets that identify the browser as one that users trust. */
  readonly trustedDevice: ReadonlyArray<string>
}

/** A request on the host of a connected app. */
export interface AppRequest extends HostedRequest {
  readonly context: AppPageContext
  readonly app: ConnectedApp
}

/** The parts that differ between the kinds of requests: pages of an app, pages of a realm, social logins, and the API. */
export interface RequestKind<Route, R extends HostedRequest, Missing, Failure, Services> {
  /** Finds the realm and the app of a request. */
  readonly find: (http: HttpRequest) => Effect.Effect<R, Missing, Services>
  /** Returns a response that needs neither the realm nor a slot for concurrent requests. */
  readonly preflight?: (request: R, route: Route) => HttpResponse | undefined
  readonly handle: (request: R, route: Route) => Effect.Effect<HttpResponse, Failure, CurrentRealm>
  /** Returns the response to a failure of `handle`. */
  readonly failed: (request: R, failure: Failure, route: Route) => HttpResponse
  /** Returns the response if there is no such active app or realm. */
  readonly missing: (context: PageContext, failure: Missing, route: Route) => HttpResponse
  /**
   * Returns the response while the database is unavailable, or undefined to let the caller respond. `known` is undefined if
   * the realm and the app have not been found yet.
   */
  readonly unavailable: (
    context: PageContext,
    found: Unavailability,
    known: { readonly request: R; readonly route: Route } | undefined
  ) => HttpResponse | undefined
}

/** The maximum number of concurrent requests of one kind. Requests beyond it get 503. */
const CONCURRENCY = 256

export const isRead = ({ method }: HttpRequest): boolean => method === "GET" || method === "HEAD"

/**
 * Returns whether the page is requested for a browser window, not for a frame or script of another page (SEC-112). Some
 * browsers don't send the destination.
 */
export const isForWindow = ({ http }: HostedRequest): boolean =>
  isRead(http) && (http.headers["sec-fetch-dest"] ?? "document") === "document"

/**
 * Returns whether a logged-in user continues to the app without being asked (C73). This only applies to requests for a browser
 * window. `hasJustLoggedIn` is true if the app repeats a login that has just happened (C106).
 */
export const continuesWithoutAsking = (request: AppRequest, hasJustLoggedIn = false): boolean =>
  (request.app.autoContinue || hasJustLoggedIn) && isForWindow(request)

/** The limits on concurrent requests and on bodies being received. */
interface Admissions {
  readonly requests: Admission
  readonly bodies: Admission
}

/**
 * Handles a request in its realm and app, on behalf of its client. Waits for the body before it takes a slot of the realm, so
 * that slow senders don't occupy slots (SEC-198).
 */
const inRealm = <A, E, R>({ requests, bodies }: Admissions, request: HostedRequest, work: Effect.Effect<A, E, R>) => {
  const { http, context, client, knownBrowser, trustedDevice, origin } = request
  const arrival = isRead(http) ? Effect.void : bodies.runOrDie(client.key, Effect.ignore(http.text))
  return Effect.andThen(arrival, requests.runOrDie(context.realm.id, work)).pipe(
    Effect.provideService(CurrentRealm, context.realm),
    Effect.provideService(CurrentApp, context.app?.id ?? null),
    Effect.provideService(CurrentActor, visitorOf(context.app?.id ?? null)),
    Effect.provideService(CurrentBrowser, knownBrowser),
    Effect.provideService(PresentedDevices, trustedDevice),
    Effect.provideService(PageOrigin, context.app === undefined ? undefined : origin),
    Effect.provideService(VisitorLanguage, languageIn(acceptedLanguages(http.headers["accept-language"]))),
    Effect.provideService(RequestOrigin, { ip: client.ip, client: userAgentOf(http.headers["user-agent"]) })
  )
}

/** Returns a 503 response and adds its reason to the log. */
const withRefusal = (response: HttpResponse, refusal: Refusal | undefined) =>
  Effect.map(CurrentRequestContext, (context) => {
    context.refusal = refusal
    return response
  })

/** Returns a function that builds the handlers of routes for one kind of request. */
export const serve = <Route, R extends HostedRequest, Missing, Failure extends { readonly _tag: string }, Services>(
  kind: RequestKind<Route, R, Missing, Failure, Services>
) => {
  const requests = makeAdmission({ name: "hosted", concurrency: CONCURRENCY, queueLimit: 0 })
  const admissions = { requests, bodies: makeBodyAdmission("hosted_bodies") }
  return (route: Route) => (http: HttpRequest) => {
    const context = pageContext(http.headers["accept-language"], undefined)
    const unavailable = (cause: Cause.Cause<never>, request?: R) => {
      const found = unavailabilityIn(cause)
      const known = request === undefined ? undefined : { request, route }
      const response = found === undefined ? undefined : kind.unavailable(context, found, known)
      return response === undefined ? Effect.failCause(cause) : withRefusal(response, found)
    }
    const answer = (request: R) =>
      inRealm(admissions, request, kind.handle(request, route)).pipe(
        Effect.catch((failure) => {
          const response = kind.failed(request, failure, route)
          if (response.status !== 503) return Effect.succeed(response)
          return withRefusal(response, { reason: failure._tag, isDatabaseUnreachable: false })
        }),
        Effect.catchCause((cause) => unavailable(cause, request))
      )
    return kind.find(http).pipe(
      Effect.flatMap((request) => {
        const early = kind.preflight?.(request, route)
        return early === undefined ? answer(request) : Effect.succeed(early)
      }),
      Effect.catch((failure) => Effect.succeed(kind.missing(context, failure, route))),
      Effect.catchCause((cause) => unavailable(cause))
    )
  }
}

/** Finds the app and the realm of a request by its host (C40), or the realm by its path. */
export const requestFinders = Effect.gen(function* () {
  const apps = yield* ConnectedApps
  const domains = yield* LoginDomains
  const realms = yield* Realms
  const addresses = yield* ClientAddress
  const mailboxUrl = yield* LocalMailbox

  const clientOf = (http: HttpRequest): Client =>
    addresses.of({
      peer: Option.getOrUndefined(http.remoteAddress),
      forwardedFor: http.headers["x-forwarded-for"]
    })

  /** Fails if the host is not the host of an active app. */
  const findApp = Effect.fnUntraced(function* (http: HttpRequest) {
    const app = yield* apps.atHost(http.headers["host"] ?? "")
    const realm = yield* realms.find(app.realmId)
    const context: AppPageContext = { ...pageContext(http.headers["accept-language"], realm), app, mailboxUrl }
    const origin = domains.origin(app.subdomain)
    const request: AppRequest = {
      http,
      app,
      context,
      origin,
      client: clientOf(http),
      knownBrowser: knownBrowserIn({ http, origin }),
      trustedDevice: trustedDevicesIn({ http, origin })
    }
    return request
  })

  /** Pages of a realm store no sessions, so there are no known browsers. */
  const findRealm = Effect.fnUntraced(function* (http: HttpRequest, realmId: string, origin: string) {
    const realm = yield* realms.find(realmId)
    const context = { ...pageContext(http.headers["accept-language"], realm), mailboxUrl }
    const request: HostedRequest = {
      http,
      context,
      origin,
      client: clientOf(http),
      knownBrowser: [],
      trustedDevice: []
    }
    return request
  })

  /** Fails on the host of an app, where there is no console. */
  const findConsole = (http: HttpRequest) => {
    const host = http.headers["host"] ?? ""
    if (domains.subdomainIn(host) !== undefined) return Effect.fail(new ConnectedAppNotFound({ id: host }))
    const origin = domains.origin(consoleApp.subdomain)
    const context: AppPageContext = {
      ...pageContext(http.headers["accept-language"], systemRealm),
      app: consoleApp,
      mailboxUrl
    }
    const request: AppRequest = {
      http,
      app: consoleApp,
      context,
      origin,
      client: clientOf(http),
      knownBrowser: knownBrowserIn({ http, origin }),
      trustedDevice: trustedDevicesIn({ http, origin })
    }
    return Effect.succeed(request)
  }

  return { findApp, findRealm, findConsole }
})

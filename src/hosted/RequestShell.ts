import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { ConnectedApps } from "#core/apps/ConnectedApps"
import { RateLimits } from "#core/limits/RateLimits"
import { Realms } from "#core/realms/Realms"
import type { ConnectedApp } from "#domain/ConnectedApp"
import { Origin } from "#domain/Event"
import { CurrentBrowser } from "#domain/Login"
import { CurrentRealm } from "#domain/Realm"
import { isStorable, TEXT_LENGTH } from "#domain/Text"
import { admitted, makeAdmission } from "#platform/Admission"
import { type Client, ClientAddress } from "#platform/ClientAddress"
import { LoginDomains } from "#platform/LoginDomains"
import { knownIn } from "./cookies/SessionCookie.ts"
import { type AppVisit, readerOf, type Visit } from "./PageContext.ts"

/** A request for something of a realm, by a person. */
export interface PersonCall {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly visit: Visit
  readonly client: Client
  /** By what its browser is known again. */
  readonly known: ReadonlyArray<string>
}

/** The same on the host of a connected app. */
export interface AppCall extends PersonCall {
  readonly app: ConnectedApp
  readonly visit: AppVisit
  /** Where the app's pages are: from configuration, never what `Host` says (SEC-37). */
  readonly origin: string
}

/** How many calls are at work at once: whoever comes when it is full is told to come back. */
const AT_ONCE = 256

const agentOf = (agent: string | undefined): string | null =>
  agent === undefined || !isStorable(agent) ? null : Array.from(agent).slice(0, TEXT_LENGTH).join("")

/** The way in by the host of an app: it says which realm a call is about (decision 40). */
export const appCalls = Effect.gen(function* () {
  const apps = yield* ConnectedApps
  const domains = yield* LoginDomains
  const realms = yield* Realms
  const addresses = yield* ClientAddress
  const rateLimits = yield* RateLimits

  /** Whose address a request comes from. */
  const clientOf = (request: HttpServerRequest.HttpServerRequest): Client =>
    addresses.of({
      peer: Option.getOrUndefined(request.remoteAddress),
      forwardedFor: request.headers["x-forwarded-for"]
    })

  /** The call that a request makes; nothing is there on a host that is no active app's. */
  const entered = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
    const app = yield* apps.atHost(request.headers["host"] ?? "")
    const realm = yield* realms.find(app.realmId)
    const visit: AppVisit = { ...readerOf(request.headers["accept-language"], realm), app }
    const origin = domains.origin(app.subdomain)
    const call: AppCall = { request, app, visit, origin, client: clientOf(request), known: knownIn(request, origin) }
    return call
  })

  const room = makeAdmission({ name: "hosted", atOnce: AT_ONCE, places: 0 })

  /** Does something in the realm of a call, in the name of the person who made it; as long as there is room for it. */
  const within = <A, E, R>(call: PersonCall, effect: Effect.Effect<A, E, R>) =>
    admitted(room, call.visit.realm.id, effect).pipe(
      Effect.provideService(CurrentRealm, call.visit.realm),
      Effect.provideService(CurrentBrowser, call.known),
      Effect.provideService(Origin, { ip: call.client.ip, client: agentOf(call.request.headers["user-agent"]) })
    )

  /** Counts one more thing that is done with credentials from an address (decision 45). */
  const counted = Effect.fnUntraced(function* ({ visit: { realm }, client: { key } }: PersonCall) {
    yield* rateLimits.take("hosted", `${realm.id} ${key}`, realm.limits)
    yield* rateLimits.take("hosted_sustained", `${realm.id} ${key}`, realm.limits)
  })

  return { clientOf, entered, within, counted }
})

import { Context, Effect, Layer, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import {
  AccountAccess,
  GoesOutside,
  GoneIsDone,
  NamedRealm,
  NameInPath,
  NullRealm,
  RequiredLevel,
  Resource,
  TenantAccess,
  TokenInPath,
  Wrapper
} from "#api/Access"
import { NotFound } from "#api/Errors"
import { Realms } from "#core/realms/Realms"
import { Caller, type Level } from "#domain/Caller"
import { Origin } from "#domain/Event"
import { kindOf } from "#domain/Ids"
import { CurrentRealm } from "#domain/Realm"
import { type Clearing, isCleared } from "#domain/RealmReset"
import { problem } from "#domain/Rejected"
import { isStorable, isWithin, TEXT_LENGTH } from "#domain/Text"
import { type Authenticated, Authentication, HeaderNames } from "./Authentication.ts"
import { badRequest, invalid, notFound } from "./Errors.ts"
import { isRead, makeRooms } from "./LoadShedding.ts"
import { type RealmNames, realmOfCall, statedRealm } from "./RealmResolution.ts"
import { asJson, type ReadBody, readBody } from "./RequestBody.ts"
import { CurrentExchange } from "./RequestContext.ts"

type Query = Readonly<Record<string, string | Array<string>>>

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

const texts = (one: unknown, other: unknown): ReadonlyArray<string> =>
  one === undefined && other === undefined ? [] : [one, other].flat().flatMap((value) => text(value) ?? [])

const storableText = (value: unknown): string | null =>
  typeof value === "string" && isStorable(value) && isWithin(TEXT_LENGTH, value) ? value : null

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined

/** `k[]=a` is `k=a`; the parameters of a DELETE may stand in its body (decision 7). */
const normalQuery = (query: Query, body: ReadBody | undefined, method: string): Query => {
  if (Object.keys(query).length === 0 && body === undefined) return query
  const normal: Record<string, string | Array<string>> = Object.create(null)
  for (const [name, value] of Object.entries(query)) {
    const plain = name.endsWith("[]") ? name.slice(0, -2) : name
    const before = normal[plain]
    normal[plain] = before === undefined ? value : [before, value].flat()
  }
  if (method === "DELETE" && body !== undefined) {
    for (const [name, value] of Object.entries(body.members)) {
      // What is no scalar stays no scalar, so that it is refused where one is wanted.
      if (typeof value === "object" && value !== null) normal[name] ??= [JSON.stringify(value)]
      else if (value !== null) normal[name] ??= String(value)
    }
  }
  return normal
}

/** What is wrong with a `realm_id` that is there and no one text: it would name no realm, or several (decision 47). */
const realmIdProblem = (query: Query, ...inBody: ReadonlyArray<unknown>): string | undefined => {
  if (inBody.some((value) => value !== undefined && value !== null && typeof value !== "string")) return "not_text"
  const asked = query["realm_id"]
  // Several that differ contradict each other, which is 400.
  return Array.isArray(asked) && new Set(asked).size < 2 ? "repeated" : undefined
}

/** What an endpoint's annotations ask of a call. */
interface Terms {
  readonly level: Level
  readonly wrapper: string | undefined
  readonly resource: string
  readonly isName: (text: string) => boolean
  readonly takesToken: boolean
  readonly goneIsDone: boolean
  readonly nullRealm: boolean
  readonly goesOutside: boolean
}

const termsOf = ({ annotations }: HttpApiEndpoint.Top): Terms => ({
  // An endpoint that states no level admits the highest only.
  level: Option.getOrElse(Context.getOption(annotations, RequiredLevel), () => "admin_all_realms" as const),
  wrapper: Option.getOrUndefined(Context.getOption(annotations, Wrapper)),
  resource: Option.getOrElse(Context.getOption(annotations, Resource), () => "resource"),
  isName: Option.getOrElse(Context.getOption(annotations, NameInPath), () => () => false),
  takesToken: Option.isSome(Context.getOption(annotations, TokenInPath)),
  goneIsDone: Option.isSome(Context.getOption(annotations, GoneIsDone)),
  nullRealm: Option.isSome(Context.getOption(annotations, NullRealm)),
  goesOutside: Option.isSome(Context.getOption(annotations, GoesOutside))
})

/** Whether what a path names is being cleared by a reset: it can't be found any more (decision 20). */
const goesWithReset = (clearing: Clearing, path: string | undefined): boolean => {
  const kind = path === undefined ? undefined : kindOf(path)
  return path !== undefined && kind !== undefined && isCleared(clearing, kind, path)
}

const nobody = { ip: null, client: null }

/** The request attributes beside the wrapper (api-v2 section 2). */
const originOf = (asked: unknown) =>
  asked === undefined
    ? nobody
    : { ip: storableText(memberOf(asked, "ip")), client: storableText(memberOf(asked, "client")) }

/** The services that a call comes with. */
const beside = Effect.context<
  HttpServerRequest.HttpServerRequest | HttpServerRequest.ParsedSearchParams | HttpRouter.RouteContext
>()

type Beside = Effect.Success<typeof beside>

const make = Effect.gen(function* () {
  const { authenticate } = yield* Authentication
  const realms = yield* Realms
  const headerNames = yield* HeaderNames
  const roomFor = makeRooms()

  /** Reads what the call says, and whose call it is. */
  const read = Effect.fnUntraced(function* (
    { wrapper, nullRealm }: Terms,
    services: Beside,
    { caller, own }: Authenticated
  ) {
    const request = Context.get(services, HttpServerRequest.HttpServerRequest)
    const body = isRead(request) ? undefined : yield* readBody(request)
    // No body says as much as an empty one.
    const takesBody = request.method === "POST" || request.method === "PUT"
    const wrapped = wrapper === undefined ? undefined : memberOf(body?.members, wrapper)
    if (wrapper !== undefined && (typeof wrapped !== "object" || wrapped === null || Array.isArray(wrapped))) {
      return yield* badRequest("wrapper_missing", { wrapper })
    }
    const query = normalQuery(Context.get(services, HttpServerRequest.ParsedSearchParams), body, request.method)
    const { params } = Context.get(services, HttpRouter.RouteContext)
    const [inside, outright] = [memberOf(wrapped, "realm_id"), memberOf(body?.members, "realm_id")]
    const wrongRealm = realmIdProblem(query, inside, outright)
    if (wrongRealm !== undefined) return yield* invalid([problem("realm_id", wrongRealm)])
    const inBody = texts(inside, outright)
    const asked = nullRealm && query["realm_id"] === "null" ? undefined : query["realm_id"]
    const outside = texts(asked, request.headers[headerNames.realm])
    const isUpdate = request.method === "PUT"
    const names: RealmNames = {
      own,
      path: Object.values(params)[0],
      stated: isUpdate || inBody.length === 0 ? outside : [...outside, ...inBody],
      readOnly: isUpdate ? inBody[0] : undefined
    }
    const origin = originOf(memberOf(body?.members, "request"))
    /** The services of the call, laid over those of the service: cheaper than merging the two. */
    const over = <R>(beneath: Context.Context<R>) =>
      beneath.pipe(
        Context.add(Caller, caller),
        Context.add(Origin, origin),
        Context.add(HttpServerRequest.ParsedSearchParams, query),
        Context.add(HttpServerRequest.HttpServerRequest, body?.request ?? (takesBody ? asJson(request, "{}") : request))
      )
    return { names, over }
  })

  const tenant: TenantAccess["Service"] = (handler, { endpoint }) => {
    const terms = termsOf(endpoint)
    const entered = Effect.gen(function* () {
      const services = yield* beside
      const request = Context.get(services, HttpServerRequest.HttpServerRequest)
      const authenticated = yield* authenticate(request, terms.level)
      const { caller, own } = authenticated
      const room = roomFor(request, terms)
      const rest = Effect.gen(function* () {
        const { names, over } = yield* read(terms, services, authenticated)
        const realm = yield* realmOfCall(realms, names, terms)
        if (realm.clearing !== null && goesWithReset(realm.clearing, names.path)) return yield* notFound(terms.resource)
        const exchange = yield* CurrentExchange
        exchange.realmLocale = realm.defaultLocale
        const call = Effect.updateContext(handler, (services: Context.Context<never>) =>
          Context.add(over(services), CurrentRealm, realm)
        )
        return yield* room(realm, caller, call)
      })
      // Of a locked key it is known whose call it is: where there is no room its body is not even read. Reading takes none.
      return yield* own === undefined ? rest : Effect.andThen(room(own, caller, Effect.void), rest)
    })
    if (!terms.goneIsDone) return entered
    return Effect.catchIf(
      entered,
      (error): error is NotFound => error instanceof NotFound && error.error_details[0]?.field === terms.resource,
      () => Effect.succeed(HttpServerResponse.empty({ status: 204 }))
    )
  }

  const account: AccountAccess["Service"] = (handler, { endpoint }) => {
    const terms = termsOf(endpoint)
    return Effect.gen(function* () {
      const services = yield* beside
      const request = Context.get(services, HttpServerRequest.HttpServerRequest)
      const authenticated = yield* authenticate(request, terms.level)
      const { names, over } = yield* read(terms, services, authenticated)
      const realm = yield* statedRealm(realms, names.own, names.stated)
      const call = Effect.updateContext(handler, (services: Context.Context<never>) =>
        Context.add(over(services), NamedRealm, realm)
      )
      return yield* roomFor(request, terms)(realm, authenticated.caller, call)
    })
  }

  return Context.make(TenantAccess, tenant).pipe(Context.add(AccountAccess, account))
})

/** Who may call, and in which realm: the one place where a management key becomes a tenant (decisions 1, 2, 4). */
export const AccessLayer = Layer.effectContext(make).pipe(Layer.provide(Authentication.layer))

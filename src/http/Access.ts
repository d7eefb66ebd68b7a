import { Context, Effect, Layer, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import {
  AccountAccess,
  AllowsSupport,
  IdempotentDelete,
  LongRunning,
  NamedRealm,
  NameInPath,
  NullRealm,
  ReadsFromReplica,
  RequiredLevel,
  Resource,
  Streamed,
  TenantAccess,
  TokenInPath,
  Wrapper
} from "#api/Access"
import { isContractGroup } from "#api/ContractGroups"
import { queryParametersOf } from "#api/EndpointMembers"
import { NotFound, type WireError } from "#api/Errors"
import { ReadReplica } from "#core/nodes/ReadReplica"
import { Realms } from "#core/realms/Realms"
import { Caller, levelTooLow } from "#domain/Caller"
import { RequestOrigin } from "#domain/Event"
import { kindOf } from "#domain/Ids"
import { isObject, memberOf } from "#domain/JsonObject"
import { allows, type Level } from "#domain/Level"
import { accountRealm, CurrentRealm, type Realm } from "#domain/Realm"
import { isBeingReset, type PendingReset } from "#domain/RealmReset"
import { CurrentRequestContext } from "#platform/RequestContext"
import { type Authenticated, Authentication, HeaderNames } from "./Authentication.ts"
import { type BodyMembers, bodyMembers, misplacedProblems, noFindings } from "./BodyMembers.ts"
import { ConsoleRequest } from "./ConsoleRequest.ts"
import { badRequest, invalid, notFound, notFoundAfter, wireErrors } from "./Errors.ts"
import { isRead, makeAdmissionControl } from "./LoadShedding.ts"
import {
  headerOf,
  plainName,
  prefersStrict,
  type Query,
  type QueryParameters,
  queryParameters,
  requireKnown
} from "./QueryParameters.ts"
import { realmNamesIn } from "./RealmNames.ts"
import { resolveRealm, resolveStatedRealm } from "./RealmResolution.ts"
import { RepeatedAuthentication } from "./RepeatedAuthentication.ts"
import { asJson, type ReadBody, readBody } from "./RequestBody.ts"
import { statedOrigin } from "./StatedOrigin.ts"

/** Treats `k[]=a` in the query as `k=a`, and adds the parameters in the body of a DELETE (C7). */
export const normalizeQuery = (query: Query, body: ReadBody | undefined, method: string): Query => {
  if (Object.keys(query).length === 0 && body === undefined) return query
  const normal: Record<string, string | Array<string>> = Object.create(null)
  for (const [name, value] of Object.entries(query)) {
    const plain = plainName(name)
    const before = normal[plain]
    normal[plain] = before === undefined ? value : [before, value].flat()
  }
  if (method === "DELETE" && body !== undefined) {
    for (const [name, value] of Object.entries(body.members)) {
      // Any non-scalar value becomes a list. Parameters that expect a scalar reject it.
      if (typeof value === "object" && value !== null) normal[name] ??= [JSON.stringify(value)]
      else if (value !== null) normal[name] ??= String(value)
    }
  }
  return normal
}

/** The requirements of an endpoint, derived from its method and annotations. */
interface Requirements {
  readonly isRead: boolean
  readonly level: Level
  readonly allowsSupport: boolean
  readonly wrapper: string | undefined
  readonly resource: string
  readonly isName: (text: string) => boolean
  readonly acceptsToken: boolean
  readonly idempotentDelete: boolean
  readonly nullRealm: boolean
  /** Whether a request can explicitly ask for all realms. */
  readonly acceptsAllRealms: boolean
  readonly longRunning: boolean
  readonly parameters: QueryParameters
  readonly body: BodyMembers
  readonly streamed: boolean
  /** Whether the endpoint returns a paged list of its resource. */
  readonly isList: boolean
  /**
   * Whether the endpoint may read from a replica. True for lists and other expensive reads. For a single row, checking the
   * replica's state takes as long as reading the row.
   */
  readonly mayBeReplica: boolean
}

const requirementsOf = (
  endpoint: HttpApiEndpoint.Top,
  group: string,
  { isTenant }: { readonly isTenant: boolean }
): Requirements => {
  const { method, annotations } = endpoint
  const wrapper = Option.getOrUndefined(Context.getOption(annotations, Wrapper))
  const resource = Option.getOrElse(Context.getOption(annotations, Resource), () => "resource")
  const nullRealm = Option.isSome(Context.getOption(annotations, NullRealm))
  const isList = queryParametersOf(endpoint).has("after")
  return {
    isRead: isRead({ method }),
    // An endpoint without a level requires the highest level.
    level: Option.getOrElse(Context.getOption(annotations, RequiredLevel), () => "admin_all_realms" as const),
    allowsSupport: Option.isSome(Context.getOption(annotations, AllowsSupport)),
    wrapper,
    resource,
    isName: Option.getOrElse(Context.getOption(annotations, NameInPath), () => () => false),
    acceptsToken: Option.isSome(Context.getOption(annotations, TokenInPath)),
    idempotentDelete: Option.isSome(Context.getOption(annotations, IdempotentDelete)),
    nullRealm,
    acceptsAllRealms: nullRealm && (isRead({ method }) ? isTenant : method === "POST" && wrapper !== undefined),
    longRunning: Option.isSome(Context.getOption(annotations, LongRunning)),
    parameters: queryParameters(endpoint),
    body: bodyMembers(endpoint, { wrapper, resource, isContractNoun: isContractGroup(group) }),
    streamed: Option.isSome(Context.getOption(annotations, Streamed)),
    isList,
    mayBeReplica: isRead({ method }) && (isList || Option.isSome(Context.getOption(annotations, ReadsFromReplica)))
  }
}

/** Maps a list endpoint's NotFound to an error about `after`, because the item to start after does not exist (C11). */
const asNotFoundAfter =
  (resource: string) =>
  <E>(error: E): E | NotFound =>
    error instanceof NotFound && error.error_details[0]?.field === resource ? notFoundAfter(resource) : error

/** Returns whether a reset is deleting the resource named in the path. The resource then counts as not found (C20). */
const isInPendingReset = (clearing: PendingReset, path: string | undefined): boolean => {
  const kind = path === undefined ? undefined : kindOf(path)
  return path !== undefined && kind !== undefined && isBeingReset(clearing, kind, path)
}

/** Resources that belong to all realms are read in a pseudo-realm, by callers with access to all realms. */
const accountRealmFor = (caller: Caller["Service"]): Effect.Effect<Realm, WireError> => {
  if (caller.realmId !== null) return Effect.fail(notFound("realm"))
  return allows(caller.level, "admin_all_realms")
    ? Effect.succeed(accountRealm)
    : Effect.fail(wireErrors.LevelTooLow(levelTooLow(caller, { level: "admin_all_realms" })))
}

/** The services that the router provides with each request. */
const requestServices = Effect.context<
  HttpServerRequest.HttpServerRequest | HttpServerRequest.ParsedSearchParams | HttpRouter.RouteContext
>()

type RequestServices = Effect.Success<typeof requestServices>

const make = Effect.gen(function* () {
  const { authenticate, verify } = yield* Authentication
  const realms = yield* Realms
  const headerNames = yield* HeaderNames
  const admissionFor = yield* makeAdmissionControl
  const replica = yield* ReadReplica

  /** Prepares an endpoint's handler: the handler reads from a replica where possible and reports an invalid `after`. */
  const prepared = <A, E, R>(handler: Effect.Effect<A, E, R>, { isList, mayBeReplica, resource }: Requirements) => {
    const read = mayBeReplica ? replica.read(handler) : handler
    return isList ? Effect.mapError(read, asNotFoundAfter(resource)) : read
  }

  /** Determines the realms that a request names, and builds the services for its handler. */
  const read = Effect.fnUntracedEager(function* (
    { isRead, wrapper, resource, nullRealm, acceptsAllRealms, parameters, body: members, streamed }: Requirements,
    services: RequestServices,
    { caller, own }: Authenticated
  ) {
    const request = Context.get(services, HttpServerRequest.HttpServerRequest)
    const sentQuery = Context.get(services, HttpServerRequest.ParsedSearchParams)
    const context = Context.get(services, CurrentRequestContext)
    const isStrict = prefersStrict(request.headers["prefer"])
    const unknown = parameters.unknownIn(sentQuery)
    const ignore = (names: ReadonlyArray<string>) => {
      if (names.length > 0) context.headers = { [headerNames.ignored]: headerOf(names) }
    }
    yield* requireKnown(parameters, unknown, isStrict)
    ignore(unknown)
    const body = isRead || streamed ? undefined : yield* readBody(request)
    const found = body === undefined ? noFindings : members.read(body.members)
    // A missing body is treated as an empty one.
    const takesBody = !streamed && (request.method === "POST" || request.method === "PUT")
    const wrapped = memberOf(body?.members, wrapper ?? resource)
    if (wrapper !== undefined && !isObject(wrapped)) {
      return yield* badRequest("wrapper_missing", { wrapper }, ...misplacedProblems(found))
    }
    const refusal = members.refusalOf(found, isStrict)
    if (refusal.length > 0) return yield* invalid(refusal)
    ignore([...unknown, ...found.unread.map(({ path }) => path)])
    const query = normalizeQuery(sentQuery, body, request.method)
    const { params } = Context.get(services, HttpRouter.RouteContext)
    const names = yield* realmNamesIn(
      {
        own,
        path: Object.values(params)[0],
        query,
        header: request.headers[headerNames.realm],
        nextToWrapper: memberOf(body?.members, "realm_id"),
        inWrapper: memberOf(wrapped, "realm_id")
      },
      { isUpdate: request.method === "PUT", nullRealm, acceptsAllRealms }
    )
    const origin = Context.get(services, ConsoleRequest)?.origin ?? statedOrigin(request, sentQuery, body)
    const normalizedRequest = body?.request ?? (takesBody ? asJson(request, "{}") : request)
    /** Adds only the services that differ from the request's, because every addition slows down all later lookups. */
    const withRequest = <R>(base: Context.Context<R>) => {
      const withCaller = Context.add(base, Caller, caller)
      const withOrigin = origin === undefined ? withCaller : Context.add(withCaller, RequestOrigin, origin)
      const withQuery =
        query === sentQuery ? withOrigin : Context.add(withOrigin, HttpServerRequest.ParsedSearchParams, query)
      return normalizedRequest === request
        ? withQuery
        : Context.add(withQuery, HttpServerRequest.HttpServerRequest, normalizedRequest)
    }
    return { names, withRequest }
  })

  const tenant: TenantAccess["Service"] = (handler, { endpoint, group }) => {
    const requirements = requirementsOf(endpoint, group.identifier, { isTenant: true })
    const admission = admissionFor(endpoint, requirements.longRunning)
    const handled = prepared(handler, requirements)
    const admitted = Effect.gen(function* () {
      const services = yield* requestServices
      const request = Context.get(services, HttpServerRequest.HttpServerRequest)
      const console = Context.get(services, ConsoleRequest)
      const authenticated = yield* authenticate(request, requirements, console)
      const { caller, own } = authenticated
      // A locked key's realm is already known. Under overload, its requests are rejected before their bodies are read.
      if (own !== undefined && !requirements.isRead) yield* admission.check(own)
      const { names, withRequest } = yield* read(requirements, services, authenticated)
      const realm = names.allRealms
        ? yield* accountRealmFor(caller)
        : yield* resolveRealm(realms, names, requirements, headerNames.realmForMessages)
      if (realm.pendingReset !== null && isInPendingReset(realm.pendingReset, names.path))
        return yield* notFound(requirements.resource)
      Context.get(services, CurrentRequestContext).realmLocale = realm.defaultLocale
      const call = Effect.updateContext(handled, (base: Context.Context<never>) => {
        const complete = Context.add(withRequest(base), CurrentRealm, realm)
        if (!requirements.streamed) return complete
        return Context.add(complete, RepeatedAuthentication, verify(request, requirements, console))
      })
      return yield* admission.run(realm, caller, call)
    })
    if (!requirements.idempotentDelete) return admitted
    return Effect.catchIf(
      admitted,
      (error): error is NotFound =>
        error instanceof NotFound && error.error_details[0]?.field === requirements.resource,
      () => Effect.succeed(HttpServerResponse.empty({ status: 204 }))
    )
  }

  const account: AccountAccess["Service"] = (handler, { endpoint, group }) => {
    const requirements = requirementsOf(endpoint, group.identifier, { isTenant: false })
    const admission = admissionFor(endpoint, requirements.longRunning)
    const handled = prepared(handler, requirements)
    return Effect.gen(function* () {
      const services = yield* requestServices
      const request = Context.get(services, HttpServerRequest.HttpServerRequest)
      const authenticated = yield* authenticate(request, requirements, Context.get(services, ConsoleRequest))
      const { names, withRequest } = yield* read(requirements, services, authenticated)
      const realm = names.allRealms ? null : yield* resolveStatedRealm(realms, names.own, names.stated)
      const call = Effect.updateContext(handled, (base: Context.Context<never>) =>
        Context.add(withRequest(base), NamedRealm, realm)
      )
      return yield* admission.run(realm ?? undefined, authenticated.caller, call)
    })
  }

  return Context.make(TenantAccess, tenant).pipe(Context.add(AccountAccess, account))
})

/**
 * Decides whether a caller has access, and to which realm: `Authentication` finds the caller and checks the level,
 * `RealmResolution` finds the realm (C1, C2, C4).
 */
export const AccessLayer = Layer.effectContext(make).pipe(Layer.provide(Authentication.layer))

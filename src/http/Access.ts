import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { AccountAccess, GoneIsDone, NamedRealm, RequiredLevel, TenantAccess, Wrapper } from "#api/Access"
import { NotFound } from "#api/Errors"
import { ApiKeys } from "#core/access/ApiKeys"
import { Realms } from "#core/realms/Realms"
import { allows, Caller, LevelTooLow } from "#domain/Caller"
import { Origin } from "#domain/Event"
import { CurrentRealm } from "#domain/Realm"
import { isStorable } from "#domain/Text"
import { badRequest, unauthorized, words } from "./Errors.ts"
import { CurrentExchange } from "./Exchange.ts"
import { type RealmNames, realmOfCall, statedRealm } from "./RealmOfCall.ts"
import { type ReadBody, readBody } from "./RequestBody.ts"

/** What an operator may rename so that an existing SDK can be pointed here (decision 5). */
export class HeaderNames extends Context.Service<HeaderNames, { readonly apiKey: string; readonly realm: string }>()(
  "sallyport/http/HeaderNames"
) {
  /** `prefix`: `X-Service` unless configured. */
  static readonly layer = (prefix: string) =>
    Layer.succeed(HeaderNames, {
      apiKey: `${prefix.toLowerCase()}-api-key`,
      realm: `${prefix.toLowerCase()}-realm`
    })
}

type Query = Readonly<Record<string, string | Array<string>>>

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

const texts = (...values: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  values.flat().flatMap((value) => text(value) ?? [])

const storableText = (value: unknown): string | null =>
  typeof value === "string" && isStorable(value) ? value.slice(0, 255) : null

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined

/** `k[]=a` is `k=a`; the parameters of a DELETE may stand in its body (decision 7). */
const normalQuery = (query: Query, body: ReadBody | undefined, method: string): Query => {
  const normal: Record<string, string | Array<string>> = Object.create(null)
  for (const [name, value] of Object.entries(query)) {
    const plain = name.endsWith("[]") ? name.slice(0, -2) : name
    const before = normal[plain]
    normal[plain] = before === undefined ? value : [before, value].flat()
  }
  if (method === "DELETE" && body !== undefined) {
    for (const [name, value] of Object.entries(body.members)) {
      if (["string", "boolean", "number"].includes(typeof value)) normal[name] ??= String(value)
    }
  }
  return normal
}

const make = Effect.gen(function* () {
  const apiKeys = yield* ApiKeys
  const realms = yield* Realms
  const headerNames = yield* HeaderNames

  const presentedKey = (headers: Readonly<Record<string, string>>) => {
    const bearer = /^Bearer +(\S+)$/i.exec(headers["authorization"] ?? "")?.[1]
    const named = text(headers[headerNames.apiKey])
    if (bearer !== undefined && named !== undefined && bearer !== named) return Effect.fail(unauthorized("keys_differ"))
    const key = bearer ?? named
    return key === undefined ? Effect.fail(unauthorized("key_missing")) : Effect.succeed(key)
  }

  /** Who calls, if their level allows it: settled before the body is read. */
  const admit = Effect.fnUntraced(function* (
    request: HttpServerRequest.HttpServerRequest,
    endpoint: HttpApiEndpoint.Top
  ) {
    const key = yield* presentedKey(request.headers)
    const caller = yield* apiKeys.authenticate(key).pipe(
      // A key goes with the realm it is locked to, and at once.
      Effect.tap(({ realmId }) => (realmId === null ? Effect.void : realms.find(realmId))),
      Effect.mapError(() => unauthorized("key_unknown"))
    )
    const required = Context.getOption(endpoint.annotations, RequiredLevel)
    // An endpoint that states no level admits the highest only.
    const level = required._tag === "Some" ? required.value : "admin_all_realms"
    return allows(caller.level, level) ? caller : yield* words.LevelTooLow(new LevelTooLow({ required: level }))
  })

  /** Reads what the call says, and whose call it is. */
  const read = Effect.fnUntraced(function* (endpoint: HttpApiEndpoint.Top) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const caller = yield* admit(request, endpoint)
    const body = request.method === "GET" || request.method === "HEAD" ? undefined : yield* readBody(request)
    const wrapper = Context.getOption(endpoint.annotations, Wrapper)
    const wrapped = wrapper._tag === "Some" ? memberOf(body?.members, wrapper.value) : undefined
    if (wrapper._tag === "Some" && (typeof wrapped !== "object" || wrapped === null || Array.isArray(wrapped))) {
      return yield* badRequest("wrapper_missing", { wrapper: wrapper.value })
    }
    const query = normalQuery(yield* HttpServerRequest.ParsedSearchParams, body, request.method)
    const { params } = yield* HttpRouter.RouteContext
    const inBody = texts(memberOf(wrapped, "realm_id"), memberOf(body?.members, "realm_id"))
    const outside = texts(query["realm_id"], request.headers[headerNames.realm])
    const isUpdate = request.method === "PUT"
    const names: RealmNames = {
      path: Object.values(params)[0],
      stated: isUpdate ? outside : [...outside, ...inBody],
      readOnly: isUpdate ? inBody[0] : undefined
    }
    const asked = memberOf(body?.members, "request")
    const origin = { ip: storableText(memberOf(asked, "ip")), client: storableText(memberOf(asked, "client")) }
    const context = Context.make(Caller, caller).pipe(
      Context.add(Origin, origin),
      Context.add(HttpServerRequest.ParsedSearchParams, query),
      Context.add(HttpServerRequest.HttpServerRequest, body?.request ?? request)
    )
    return { caller, names, context }
  })

  const tenant: TenantAccess["Service"] = (handler, { endpoint }) =>
    Effect.gen(function* () {
      const { caller, names, context } = yield* read(endpoint)
      const realm = yield* realmOfCall(realms, caller, names, endpoint)
      const exchange = yield* CurrentExchange
      exchange.realmLocale = realm.defaultLocale
      return yield* Effect.provideContext(handler, Context.add(context, CurrentRealm, realm))
    }).pipe(
      Effect.catchIf(
        (error): error is NotFound => error instanceof NotFound && endpoint.annotations.mapUnsafe.has(GoneIsDone.key),
        () => Effect.succeed(HttpServerResponse.empty({ status: 204 }))
      )
    )

  const account: AccountAccess["Service"] = (handler, { endpoint }) =>
    Effect.gen(function* () {
      const { caller, names, context } = yield* read(endpoint)
      const realm = yield* statedRealm(realms, caller, names.stated)
      return yield* Effect.provideContext(handler, Context.add(context, NamedRealm, realm))
    })

  return Context.make(TenantAccess, tenant).pipe(Context.add(AccountAccess, account))
})

/** Who may call, and in which realm: the one place where a management key becomes a tenant (decisions 1, 2, 4). */
export const AccessLayer = Layer.effectContext(make)

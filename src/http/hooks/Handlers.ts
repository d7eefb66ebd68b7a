import { DateTime, Effect, Layer } from "effect"
import { HttpApiBuilder, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { NamedRealm } from "#api/Access"
import { Api } from "#api/Api"
import type { HookBody, HookItem, HookPayload, HooksV1, HooksV2, PingBody, ReplayBody } from "#api/hooks/Endpoints"
import { AppHooks, type ReadHook } from "#core/hooks/AppHooks"
import { Notifications } from "#core/hooks/Notifications"
import { Pings } from "#core/hooks/Pings"
import type { AppHook, HookType } from "#domain/AppHook"
import type { AppHookInput } from "#domain/AppHookInput"
import { Caller } from "#domain/Caller"
import type { Attempted } from "#domain/Delivery"
import { eventName, type Version } from "#domain/Event"
import type { RealmId } from "#domain/Ids"
import { RealmNotFound } from "#domain/Realm"
import { words } from "../Errors.ts"
import { given, pageAsked, timeT, utcOf } from "../WireMapping.ts"

const item = (hook: AppHook, version: Version): typeof HookItem.Type => ({
  id: hook.id,
  object: version === "v1" ? "app_hook" : "hook",
  realm_id: hook.realmId,
  state: hook.state,
  event_type: hook.eventTypes.map((type) => eventName(type, version)),
  hook_type: hook.hookType,
  destination: hook.hookType === "webhook" ? hook.destination : null
})

const body = ({ hook, secret }: ReadHook, version: Version): typeof HookBody.Type => {
  const common = {
    ...item(hook, version),
    version: hook.version,
    delay: hook.delay,
    created_at: timeT(hook.createdAt)
  }
  if (hook.hookType === "webhook") return { ...common, hook_type: "webhook", secret }
  return {
    ...common,
    hook_type: "email",
    email_from: hook.emailFrom,
    email_from_name: hook.emailFromName,
    email_renderer: hook.emailRenderer,
    email_subject: hook.emailSubject,
    email_template: hook.emailTemplate,
    email_to: hook.emailTo,
    user_type: hook.userType
  }
}

const typed = (sent: HookPayload): AppHookInput =>
  given({
    state: sent.state,
    eventTypes: sent.event_type,
    delay: sent.delay,
    destination: sent.destination,
    emailFrom: sent.email_from,
    emailFromName: sent.email_from_name,
    emailRenderer: sent.email_renderer,
    emailSubject: sent.email_subject,
    emailTemplate: sent.email_template,
    emailTo: sent.email_to,
    userType: sent.user_type
  })

const pinged = ({ outcome, destination }: Attempted): typeof PingBody.Type => ({
  object: "ping",
  state: outcome._tag === "Delivered" ? "completed" : "failed",
  destination,
  result: "result" in outcome ? outcome.result : null
})

/** What of a creation's wrapper is not a setting. */
interface Creating {
  readonly hook_type?: HookType | null
  readonly realm_id?: string | null
}

/** What a request of either version says. */
type Asked<Operation extends string> = Omit<
  HttpApiEndpoint.Request<HttpApiEndpoint.WithIdentifier<HttpApiGroup.Endpoints<typeof HooksV1>, Operation>>,
  "endpoint"
>
type AskedV2<Operation extends string> = Omit<
  HttpApiEndpoint.Request<HttpApiEndpoint.WithIdentifier<HttpApiGroup.Endpoints<typeof HooksV2>, Operation>>,
  "endpoint"
>

const operations = Effect.fnUntraced(function* (version: Version) {
  const hooks = yield* AppHooks
  const notifications = yield* Notifications
  const pings = yield* Pings
  const { HookInactive, LevelTooLow, RealmNotFound: NoRealm, Rejected, RenderingBusy } = words
  const HookNotFound = version === "v1" ? words.AppHookNotFound : words.HookNotFound
  const inRealm = <A, E, R>(use: (realmId: RealmId | undefined) => Effect.Effect<A, E, R>) =>
    Effect.flatMap(NamedRealm, (realm) => use(realm?.id))
  const bodyOf = (read: ReadHook) => body(read, version)

  /** The realm whose hooks are listed: null for those of all realms, which a locked key has none of. */
  const listed = Effect.fnUntraced(function* (asked: string | undefined) {
    if (asked !== "null") return (yield* NamedRealm)?.id
    return (yield* Caller).realmId === null ? null : yield* new RealmNotFound({ id: asked })
  })

  return {
    list: ({ query }: Asked<"list">) =>
      Effect.gen(function* () {
        const filter = { realmId: yield* listed(query.realm_id), hookType: query.hook_type, state: query.state }
        const { items, more } = yield* hooks.list(filter, pageAsked(query, "id"))
        return { collection: items.map((hook) => item(hook, version)), more_results: more }
      }).pipe(Effect.catchTags({ HookNotFound, RealmNotFound: NoRealm })),
    get: ({ params }: Asked<"get">) =>
      inRealm((within) => hooks.get(within, params.hook_id)).pipe(
        Effect.map(bodyOf),
        Effect.catchTags({ HookNotFound })
      ),
    create: (sent: HookPayload & Creating) =>
      inRealm((realmId) =>
        hooks.create({
          realmId: sent.realm_id === null ? null : (realmId ?? null),
          hookType: sent.hook_type ?? "webhook",
          version,
          typed: typed(sent)
        })
      ).pipe(Effect.map(bodyOf), Effect.catchTags({ LevelTooLow, RealmNotFound: NoRealm, Rejected, RenderingBusy })),
    update: (id: string, sent: HookPayload) =>
      inRealm((within) => hooks.update(within, id, version, typed(sent))).pipe(
        Effect.map(bodyOf),
        Effect.catchTags({ HookNotFound, LevelTooLow, RealmNotFound: NoRealm, Rejected, RenderingBusy })
      ),
    delete: ({ params }: Asked<"delete">) =>
      inRealm((within) => hooks.delete(within, params.hook_id)).pipe(
        Effect.catchTags({ HookNotFound, LevelTooLow, RealmNotFound: NoRealm })
      ),
    rotateSecret: ({ params }: Asked<"rotateSecret">) =>
      inRealm((within) => hooks.rotateSecret(within, params.hook_id)).pipe(
        Effect.map(bodyOf),
        Effect.catchTags({ HookNotFound, LevelTooLow, RealmNotFound: NoRealm, Rejected })
      ),
    ping: ({ params }: Asked<"ping">) =>
      inRealm((within) => hooks.managed(within, params.hook_id)).pipe(
        Effect.flatMap(pings.ping),
        Effect.map(pinged),
        Effect.catchTags({ HookInactive, HookNotFound, LevelTooLow, Rejected })
      ),
    replay: ({ params, payload }: Asked<"replay">) =>
      Effect.gen(function* () {
        const hook = yield* inRealm((within) => hooks.managed(within, params.hook_id))
        const range = {
          since: utcOf(payload.since),
          until: typeof payload.until === "number" ? utcOf(payload.until) : yield* DateTime.now,
          states: payload.state === "all" ? (["failed", "canceled", "completed"] as const) : (["failed"] as const)
        }
        const count = yield* notifications.replay(hook, range)
        return { object: "replay", notifications: count } satisfies typeof ReplayBody.Type
      }).pipe(Effect.catchTags({ HookInactive, HookNotFound, LevelTooLow }))
  }
})

/** `/v1/app_hooks`, `/v2/hooks`. */
export const HooksHandlers = Layer.mergeAll(
  HttpApiBuilder.group(Api, "v1.hooks", (handlers) =>
    Effect.map(operations("v1"), (all) =>
      handlers.handleAll({
        ...all,
        create: ({ payload }: Asked<"create">) => all.create(payload.app_hook),
        update: ({ params, payload }: Asked<"update">) => all.update(params.hook_id, payload.app_hook)
      })
    )
  ),
  HttpApiBuilder.group(Api, "v2.hooks", (handlers) =>
    Effect.map(operations("v2"), (all) =>
      handlers.handleAll({
        ...all,
        create: ({ payload }: AskedV2<"create">) => all.create(payload.hook),
        update: ({ params, payload }: AskedV2<"update">) => all.update(params.hook_id, payload.hook)
      })
    )
  )
)

import { Effect } from "effect"
import { NamedRealm } from "#api/Access"
import { Api } from "#api/Api"
import type { ReplayBody } from "#api/hooks/Endpoints"
import type { HookPayload } from "#api/hooks/Fields"
import { AppHooks, type HookWithSecret } from "#core/hooks/AppHooks"
import { MailPreviews } from "#core/hooks/MailPreviews"
import { Notifications } from "#core/hooks/Notifications"
import { Pings } from "#core/hooks/Pings"
import type { AppHook } from "#domain/AppHook"
import { Caller } from "#domain/Caller"
import type { Version } from "#domain/Event"
import type { RealmId } from "#domain/Ids"
import { RealmNotFound } from "#domain/Realm"
import { type Problem, Rejected as Refused, rejection } from "#domain/Rejected"
import type { EndpointRequest } from "../EndpointRequest.ts"
import { wireErrors } from "../Errors.ts"
import { handlerGroup } from "../RequestServices.ts"
import { linkedBody, mergeParameter, requestedPage } from "../WireMapping.ts"
import { hookBody, hookItem, mailPreviewBody, pingBody } from "./Bodies.ts"
import { hookInput, type NewHookPayload, replayRange } from "./Requests.ts"

type Request<Operation extends string> = EndpointRequest<"v2.hooks", Operation>

/** The operations on hooks. The two versions differ only in names. */
const makeHandlers = Effect.fnUntraced(function* (version: Version) {
  const hooks = yield* AppHooks
  const notifications = yield* Notifications
  const pings = yield* Pings
  const previews = yield* MailPreviews
  const { HookInactive, LevelTooLow, RateLimited, RealmNotFound: NoRealm } = wireErrors
  const { Rejected, RenderingBusy } = wireErrors
  const HookNotFound = version === "v1" ? wireErrors.AppHookNotFound : wireErrors.HookNotFound
  const inRealm = <A, E, R>(use: (realmId: RealmId | undefined) => Effect.Effect<A, E, R>) =>
    Effect.flatMap(NamedRealm, (realm) => use(realm?.id))
  const body = (hook: HookWithSecret) => hookBody(hook, version)

  /** The realm whose hooks are listed, or null for the hooks of all realms, which a locked key can't see. */
  const realmToList = Effect.fnUntraced(function* (named: string | undefined) {
    if (named !== "null") return (yield* NamedRealm)?.id
    return (yield* Caller).realmId === null ? null : yield* new RealmNotFound({ id: named })
  })

  return {
    list: ({ query }: Request<"list">) =>
      Effect.gen(function* () {
        const filter = { realmId: yield* realmToList(query.realm_id), hookType: query.hook_type, state: query.state }
        const page = yield* hooks.list(filter, requestedPage(query, "id"))
        return yield* linkedBody((hook: AppHook) => hookItem(hook, version))(page)
      }).pipe(Effect.catchTags({ HookNotFound, RealmNotFound: NoRealm })),
    get: ({ params }: Request<"get">) =>
      inRealm((within) => hooks.get(within, params.hook_id)).pipe(Effect.map(body), Effect.catchTags({ HookNotFound })),
    create: (sent: NewHookPayload) =>
      Effect.gen(function* () {
        const realm = yield* NamedRealm
        // A hook receives the events of all realms only on explicit request. In `/v1`, this has always been the default (C67).
        if (realm === undefined && version === "v2") return yield* rejection("realm_id", "realm_or_null")
        return yield* hooks.create({
          realmId: realm?.id ?? null,
          hookType: sent.hook_type ?? "webhook",
          version,
          input: hookInput(sent)
        })
      }).pipe(Effect.map(body), Effect.catchTags({ LevelTooLow, RealmNotFound: NoRealm, Rejected, RenderingBusy })),
    update: (id: string, sent: HookPayload) =>
      inRealm((within) => hooks.update(within, id, version, hookInput(sent))).pipe(
        Effect.map(body),
        Effect.catchTags({ HookNotFound, LevelTooLow, RealmNotFound: NoRealm, Rejected, RenderingBusy })
      ),
    delete: ({ params }: Request<"delete">) =>
      inRealm((within) => hooks.delete(within, params.hook_id)).pipe(
        Effect.catchTags({ HookNotFound, LevelTooLow, RealmNotFound: NoRealm })
      ),
    rotateSecret: ({ params }: Request<"rotateSecret">) =>
      inRealm((within) => hooks.rotateSecret(within, params.hook_id)).pipe(
        Effect.map(body),
        Effect.catchTags({ HookNotFound, LevelTooLow, RealmNotFound: NoRealm, Rejected })
      ),
    /**
     * `address` is the recipient of an email hook's test, or null for the hook's own recipient. It is undefined under `/v1`,
     * where only webhooks can be tested.
     */
    ping: (id: string, address: string | null | undefined) =>
      inRealm((within) => hooks.getManaged(within, id)).pipe(
        Effect.flatMap((hook) =>
          hook.hookType === "email" && address !== undefined ? pings.mail(hook, address) : pings.ping(hook)
        ),
        Effect.map(pingBody),
        Effect.catchTags({ HookInactive, HookNotFound, LevelTooLow, RateLimited, Rejected, RenderingBusy })
      ),
    preview: ({ payload }: Request<"preview">) =>
      Effect.gen(function* () {
        const realm = yield* NamedRealm
        if (realm === undefined) return yield* rejection("realm_id", "realm_or_null")
        const problems: Array<Problem> = []
        const eventId = mergeParameter("event_id", payload.hook.event_id, payload.event_id, problems)
        if (problems.length > 0) return yield* new Refused({ problems })
        const input = hookInput(payload.hook)
        const hook = yield* hooks.draft({ realmId: realm?.id ?? null, hookType: "email", version, input })
        if (hook.hookType === "webhook") return yield* Effect.die("A draft is of the type that was asked for.")
        return mailPreviewBody(yield* previews.preview(hook, eventId))
      }).pipe(Effect.catchTags({ LevelTooLow, Rejected, RenderingBusy })),
    replay: ({ params, payload }: Request<"replay">) =>
      Effect.gen(function* () {
        const hook = yield* inRealm((within) => hooks.getManaged(within, params.hook_id))
        const range = yield* replayRange(payload, version)
        const count = yield* payload.dry_run === true
          ? notifications.countReplay(hook, range)
          : notifications.replay(hook, range)
        return { object: "replay", notifications: count } satisfies typeof ReplayBody.Type
      }).pipe(Effect.catchTags({ HookInactive, HookNotFound, LevelTooLow, Rejected }))
  }
})

/** `/v1/app_hooks` */
export const HooksHandlersV1 = handlerGroup(Api, "v1.hooks", (group) =>
  Effect.map(makeHandlers("v1"), ({ preview: _, ...all }) =>
    group.handleAll({
      ...all,
      ping: ({ params }) => all.ping(params.hook_id, undefined),
      create: ({ payload }) => all.create(payload.app_hook),
      update: ({ params, payload }) => all.update(params.hook_id, payload.app_hook)
    })
  )
)

/** `/v2/hooks` */
export const HooksHandlersV2 = handlerGroup(Api, "v2.hooks", (group) =>
  Effect.map(makeHandlers("v2"), (all) =>
    group.handleAll({
      ...all,
      ping: ({ params, payload }) => all.ping(params.hook_id, payload.hook?.email_to ?? null),
      create: ({ payload }) => all.create(payload.hook),
      update: ({ params, payload }) => all.update(params.hook_id, payload.hook)
    })
  )
)

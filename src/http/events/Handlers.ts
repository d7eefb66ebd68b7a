import { Effect, Layer } from "effect"
import { HttpApiBuilder, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { Api } from "#api/Api"
import type { EventBody, EventsV2, NotificationBody } from "#api/events/Endpoints"
import { values } from "#api/Wire"
import { Journal } from "#core/events/Journal"
import { Notifications } from "#core/hooks/Notifications"
import { allows, Caller } from "#domain/Caller"
import type { Delivery } from "#domain/Delivery"
import { eventRecord, type ReadEvent, type Version } from "#domain/Event"
import { words } from "../Errors.ts"
import { given, maybeTimeT, pageAsked, utcOf } from "../WireMapping.ts"

/** An event as a caller may see it: its token, which is good for what it allows, from level `write` (decision 6). */
export const eventBody = (event: ReadEvent, version: Version, caller: Caller["Service"]): typeof EventBody.Type =>
  eventRecord(event, version, allows(caller.level, "write"))

const notificationBody = (delivery: Delivery): typeof NotificationBody.Type => ({
  id: delivery.id,
  object: "notification",
  state: delivery.state,
  attempts: delivery.attempts,
  hook_id: delivery.hookId,
  hook_type: delivery.hookType,
  last_attempt_at: maybeTimeT(delivery.lastAttemptAt),
  last_destination: delivery.lastDestination,
  last_result: delivery.lastResult
})

/** What a request says: under v1 no more than under v2. */
type Asked<Operation extends string> = Omit<
  HttpApiEndpoint.Request<HttpApiEndpoint.WithIdentifier<HttpApiGroup.Endpoints<typeof EventsV2>, Operation>>,
  "endpoint"
>

const { EventNotFound } = words

const reading = (version: Version) =>
  Effect.map(Journal, (journal) => ({
    list: ({ query }: Asked<"list">) => {
      const asked = {
        version,
        eventTypes: values(query.event_type),
        related: given({
          user: query.user_id,
          org: query.org_id,
          membership: query.membership_id,
          invitation: query.invitation_id,
          session: query.session_id,
          authProvider: query.auth_provider_id,
          hook: query.app_hook_id ?? query.hook_id,
          loginPolicy: query.login_policy_id ?? query.client_app_id
        }),
        createdAfter: query.created_at_after === undefined ? undefined : utcOf(query.created_at_after)
      }
      return Effect.gen(function* () {
        const caller = yield* Caller
        const { items, more } = yield* journal.list(asked, pageAsked(query, "id"))
        return { collection: items.map((event) => eventBody(event, version, caller)), more_results: more }
      }).pipe(Effect.catchTags({ EventNotFound }))
    },
    get: ({ params }: Asked<"get">) =>
      Effect.gen(function* () {
        const event = yield* journal.get(params.event_id, version)
        return { event, body: eventBody(event, version, yield* Caller) }
      }).pipe(Effect.catchTags({ EventNotFound }))
  }))

const v1 = Effect.map(reading("v1"), ({ list, get }) => ({
  list,
  get: (request: Asked<"get">) => Effect.map(get(request), ({ body }) => body)
}))

const v2 = Effect.gen(function* () {
  const { list, get } = yield* reading("v2")
  const notifications = yield* Notifications
  const { HookInactive, HookNotFound, NotificationNotFound, NotificationState } = words
  return {
    list,
    get: (request: Asked<"get">) =>
      Effect.gen(function* () {
        const { event, body } = yield* get(request)
        return { ...body, notifications: (yield* notifications.ofEvent(event.id)).map(notificationBody) }
      }),
    retry: ({ params }: Asked<"retry">) =>
      notifications
        .retry(params.event_id, params.notification_id)
        .pipe(
          Effect.map(notificationBody),
          Effect.catchTags({ HookInactive, HookNotFound, NotificationNotFound, NotificationState })
        ),
    cancel: ({ params }: Asked<"cancel">) =>
      notifications
        .cancel(params.event_id, params.notification_id)
        .pipe(Effect.map(notificationBody), Effect.catchTags({ NotificationNotFound, NotificationState }))
  }
})

/** `/v1/events`, `/v2/events`. */
export const EventsHandlers = Layer.mergeAll(
  HttpApiBuilder.group(Api, "v1.events", (handlers) => Effect.map(v1, (all) => handlers.handleAll(all))),
  HttpApiBuilder.group(Api, "v2.events", (handlers) => Effect.map(v2, (all) => handlers.handleAll(all)))
)

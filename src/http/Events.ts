import { Effect, Layer } from "effect"
import { HttpApiBuilder, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { Api } from "#api/Api"
import type { EventBody, EventsV1 } from "#api/Events"
import { values } from "#api/Wire"
import { Journal } from "#core/events/Journal"
import { allows, Caller } from "#domain/Caller"
import { carriesToken, eventName, type ReadEvent, type Version } from "#domain/Event"
import { words } from "./Errors.ts"
import { given, pageAsked, timeT, utcOf } from "./Translate.ts"

const orLeftOut = (id: string | null) => id ?? undefined

/** An event as a caller may see it: its token, which is good for what it allows, from level `write` (decision 6). */
export const eventBody = (event: ReadEvent, version: Version, caller: Caller["Service"]): typeof EventBody.Type => ({
  id: event.id,
  object: "event",
  event_type: eventName(event.eventType, version),
  event_at: timeT(event.eventAt),
  realm_id: event.realmId,
  ...given({
    user_id: orLeftOut(event.userId),
    org_id: orLeftOut(event.orgId),
    membership_id: orLeftOut(event.membershipId),
    invitation_id: orLeftOut(event.invitationId),
    session_id: orLeftOut(event.sessionId),
    auth_provider_id: orLeftOut(event.authProviderId)
  }),
  request: { ip: event.requestIp, client: event.requestClient },
  ...(carriesToken(event) ? { token: allows(caller.level, "write") ? event.token : null } : {})
})

/** What a request of either version says. */
type Asked<Operation extends string> = Omit<
  HttpApiEndpoint.Request<HttpApiEndpoint.WithIdentifier<HttpApiGroup.Endpoints<typeof EventsV1>, Operation>>,
  "endpoint"
>

const operations = (version: Version) =>
  Effect.map(Journal, (journal) => {
    const { EventNotFound } = words
    return {
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
            authProvider: query.auth_provider_id
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
          return eventBody(event, version, yield* Caller)
        }).pipe(Effect.catchTags({ EventNotFound }))
    }
  })

/** `/v1/events`, `/v2/events`. */
export const EventsHandlers = Layer.mergeAll(
  HttpApiBuilder.group(Api, "v1.events", (handlers) => Effect.map(operations("v1"), (all) => handlers.handleAll(all))),
  HttpApiBuilder.group(Api, "v2.events", (handlers) => Effect.map(operations("v2"), (all) => handlers.handleAll(all)))
)

import { Effect } from "effect"
import { values } from "#api/Wire"
import { Journal } from "#core/events/Journal"
import { Caller } from "#domain/Caller"
import type { EventWithToken, Version } from "#domain/Event"
import type { EndpointRequest } from "../EndpointRequest.ts"
import { invalid, wireErrors } from "../Errors.ts"
import { makeUserFilter } from "../UserFilter.ts"
import { requestedPage } from "../WireMapping.ts"
import { eventBody } from "./Bodies.ts"
import { changedProblems, eventQuery, eventTypeProblems } from "./Requests.ts"

type Query = EndpointRequest<"v2.events", "list">["query"]

const { EventNotFound } = wireErrors

/** The read operations shared by both versions. Each result contains the stored events as well as their bodies. */
export const makeReads = Effect.fnUntraced(function* (version: Version) {
  const journal = yield* Journal
  const userIn = yield* makeUserFilter(version)

  /** Replaces an email or username in the query with the user's ID. */
  const withUserId = Effect.fnUntraced(function* (query: Query) {
    const userId = yield* userIn(query.user_id)
    return userId === undefined ? query : { ...query, user_id: userId }
  })

  return {
    page: Effect.fnUntraced(function* ({ query }: { readonly query: Query }) {
      const caller = yield* Caller
      // Old clients may ask `/v1` for types that do not exist, so only `/v2` rejects them.
      const problems =
        version === "v2"
          ? [...eventTypeProblems(values(query.event_type)), ...changedProblems(values(query.changed))]
          : []
      if (problems.length > 0) return yield* invalid(problems)
      const events = yield* journal
        .list(eventQuery(yield* withUserId(query), version), requestedPage(query, "id"))
        .pipe(Effect.catchTags({ EventNotFound }))
      return { events, bodyOf: (event: EventWithToken) => eventBody(event, version, caller) }
    }),
    get: Effect.fnUntraced(function* ({ params }: EndpointRequest<"v2.events", "get">) {
      const event = yield* journal.get(params.event_id, version).pipe(Effect.catchTags({ EventNotFound }))
      return { event, body: eventBody(event, version, yield* Caller) }
    })
  }
})

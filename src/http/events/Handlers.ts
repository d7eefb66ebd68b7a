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

/** What both versions do: list events and read one, each with the events that the bodies show. */
export const makeReads = Effect.fnUntraced(function* (version: Version) {
  const journal = yield* Journal
  const userIn = yield* makeUserFilter(version)

  /** The query with a user's id in place of an e-mail or a username. */
  const withUserId = Effect.fnUntraced(function* (query: Query) {
    const userId = yield* userIn(query.user_id)
    return userId === undefined ? query : { ...query, user_id: userId }
  })

  return {
    page: Effect.fnUntraced(function* ({ query }: { readonly query: Query }) {
      const caller = yield* Caller
      // Old clients may ask `/v1` for what it does not have.
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

import { Effect } from "effect"
import { EventBody } from "#api/events/Endpoints"
import { Journal } from "#core/events/Journal"
import { Caller } from "#domain/Caller"
import type { EventWithToken, Version } from "#domain/Event"
import type { EndpointRequest } from "../EndpointRequest.ts"
import { wireErrors } from "../Errors.ts"
import { listResponse, requestedPage } from "../WireMapping.ts"
import { eventBody } from "./Bodies.ts"
import { eventQuery } from "./Requests.ts"

type Request<Operation extends string> = EndpointRequest<"v2.events", Operation>

const { EventNotFound } = wireErrors

/** What both versions do: list events and read one, which comes with the event that its body shows. */
export const makeReads = (version: Version) =>
  Effect.map(Journal, (journal) => ({
    list: ({ query }: Request<"list">) =>
      Effect.gen(function* () {
        const caller = yield* Caller
        const page = yield* journal.list(eventQuery(query, version), requestedPage(query, "id"))
        return listResponse(EventBody, (event: EventWithToken) => eventBody(event, version, caller))(page)
      }).pipe(Effect.catchTags({ EventNotFound })),
    get: ({ params }: Request<"get">) =>
      Effect.gen(function* () {
        const event = yield* journal.get(params.event_id, version)
        return { event, body: eventBody(event, version, yield* Caller) }
      }).pipe(Effect.catchTags({ EventNotFound }))
  }))

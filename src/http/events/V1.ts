import { Effect } from "effect"
import { Api } from "#api/Api"
import { EventBody } from "#api/events/Endpoints"
import { handlerGroup } from "../RequestServices.ts"
import { listResponse } from "../WireMapping.ts"
import { makeReads } from "./Handlers.ts"

/** `/v1/events` */
export const EventsHandlersV1 = handlerGroup(Api, "v1.events", (group) =>
  Effect.map(makeReads("v1"), ({ page, get }) =>
    group.handleAll({
      list: (request) => Effect.flatMap(page(request), ({ events, bodyOf }) => listResponse(EventBody, bodyOf)(events)),
      get: (request) => Effect.map(get(request), ({ body }) => body)
    })
  )
)

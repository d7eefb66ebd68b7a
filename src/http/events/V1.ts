import { Effect } from "effect"
import { Api } from "#api/Api"
import { handlerGroup } from "../RequestServices.ts"
import { makeReads } from "./Handlers.ts"

/** `/v1/events` */
export const EventsHandlersV1 = handlerGroup(Api, "v1.events", (group) =>
  Effect.map(makeReads("v1"), ({ list, get }) =>
    group.handleAll({ list, get: (request) => Effect.map(get(request), ({ body }) => body) })
  )
)

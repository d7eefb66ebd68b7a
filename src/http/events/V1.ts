import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "#api/Api"
import { makeReads } from "./Handlers.ts"

/** `/v1/events` */
export const EventsHandlersV1 = HttpApiBuilder.group(Api, "v1.events", (group) =>
  Effect.map(makeReads("v1"), ({ list, get }) =>
    group.handleAll({ list, get: (request) => Effect.map(get(request), ({ body }) => body) })
  )
)

import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "#api/Api"
import { makeHandlers } from "./Handlers.ts"

/** `/v2/hooks` */
export const HooksHandlersV2 = HttpApiBuilder.group(Api, "v2.hooks", (group) =>
  Effect.map(makeHandlers("v2"), (all) =>
    group.handleAll({
      ...all,
      create: ({ payload }) => all.create(payload.hook),
      update: ({ params, payload }) => all.update(params.hook_id, payload.hook)
    })
  )
)

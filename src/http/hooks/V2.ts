import { Effect } from "effect"
import { Api } from "#api/Api"
import { handlerGroup } from "../RequestServices.ts"
import { makeHandlers } from "./Handlers.ts"

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

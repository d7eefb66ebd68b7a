import { Effect } from "effect"
import { Api } from "#api/Api"
import { handlerGroup } from "../RequestServices.ts"
import { makeHandlers } from "./Handlers.ts"

/** `/v1/app_hooks` */
export const HooksHandlersV1 = handlerGroup(Api, "v1.hooks", (group) =>
  Effect.map(makeHandlers("v1"), ({ preview: _, ...all }) =>
    group.handleAll({
      ...all,
      ping: ({ params }) => all.ping(params.hook_id, undefined),
      create: ({ payload }) => all.create(payload.app_hook),
      update: ({ params, payload }) => all.update(params.hook_id, payload.app_hook)
    })
  )
)

import { Effect } from "effect"
import { Api } from "#api/Api"
import { handlerGroup } from "../RequestServices.ts"
import { makeHandlers } from "./Handlers.ts"

/** `/v2/client_apps` */
export const ConnectedAppsHandlersV2 = handlerGroup(Api, "v2.client_apps", (group) =>
  Effect.map(makeHandlers("v2"), (all) =>
    group.handleAll({
      ...all,
      create: ({ payload }) => all.create(payload.client_app),
      update: ({ params, payload }) => all.update(params.app_id, payload.client_app)
    })
  )
)

import { Effect } from "effect"
import { Api } from "#api/Api"
import { handlerGroup } from "../RequestServices.ts"
import { makeHandlers } from "./Handlers.ts"

/** `/v1/login_policies` */
export const ConnectedAppsHandlersV1 = handlerGroup(Api, "v1.login_policies", (group) =>
  Effect.map(makeHandlers("v1"), (all) =>
    group.handleAll({
      ...all,
      create: ({ payload }) => all.create(payload.login_policy),
      update: ({ params, payload }) => all.update(params.app_id, payload.login_policy)
    })
  )
)

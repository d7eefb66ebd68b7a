import { Effect } from "effect"
import { Api } from "#api/Api"
import { handlerGroup } from "../RequestServices.ts"
import { handlers } from "./Handlers.ts"

/** `/v1/api_keys` */
export const ApiKeysHandlersV1 = handlerGroup(Api, "v1.api_keys", (group) =>
  Effect.map(handlers, (all) => group.handleAll(all))
)

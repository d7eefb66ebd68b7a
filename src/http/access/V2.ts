import { Effect } from "effect"
import { Api } from "#api/Api"
import { handlerGroup } from "../RequestServices.ts"
import { handlers } from "./Handlers.ts"

/** `/v2/api_keys` */
export const ApiKeysHandlersV2 = handlerGroup(Api, "v2.api_keys", (group) =>
  Effect.map(handlers, (all) => group.handleAll(all))
)

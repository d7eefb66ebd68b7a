import { Effect } from "effect"
import { Api } from "#api/Api"
import { handlerGroup } from "../RequestServices.ts"
import { handlers } from "./Handlers.ts"

/** `/v2/jwt_keys` */
export const JwtKeysHandlersV2 = handlerGroup(Api, "v2.jwt_keys", (group) =>
  Effect.map(handlers, (all) => group.handleAll(all))
)

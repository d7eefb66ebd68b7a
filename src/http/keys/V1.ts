import { Effect } from "effect"
import { Api } from "#api/Api"
import { handlerGroup } from "../RequestServices.ts"
import { handlers } from "./Handlers.ts"

/** `/v1/jwt_keys` */
export const JwtKeysHandlersV1 = handlerGroup(Api, "v1.jwt_keys", (group) =>
  Effect.map(handlers, (all) => group.handleAll(all))
)

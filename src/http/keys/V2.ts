import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "#api/Api"
import { handlers } from "./Handlers.ts"

/** `/v2/jwt_keys` */
export const JwtKeysHandlersV2 = HttpApiBuilder.group(Api, "v2.jwt_keys", (group) =>
  Effect.map(handlers, (all) => group.handleAll(all))
)

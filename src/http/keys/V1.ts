import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "#api/Api"
import { handlers } from "./Handlers.ts"

/** `/v1/jwt_keys` */
export const JwtKeysHandlersV1 = HttpApiBuilder.group(Api, "v1.jwt_keys", (group) =>
  Effect.map(handlers, (all) => group.handleAll(all))
)

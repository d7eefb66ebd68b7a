import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "#api/Api"
import { handlers } from "./Handlers.ts"

/** `/v1/api_keys` */
export const ApiKeysHandlersV1 = HttpApiBuilder.group(Api, "v1.api_keys", (group) =>
  Effect.map(handlers, (all) => group.handleAll(all))
)

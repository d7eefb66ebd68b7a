import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "#api/Api"
import { handlers } from "./Handlers.ts"

/** `/v2/api_keys` */
export const ApiKeysHandlersV2 = HttpApiBuilder.group(Api, "v2.api_keys", (group) =>
  Effect.map(handlers, (all) => group.handleAll(all))
)

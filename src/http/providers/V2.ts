import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "#api/Api"
import { handlers } from "./Handlers.ts"

/** `/v2/auth_providers` */
export const AuthProvidersHandlersV2 = HttpApiBuilder.group(Api, "v2.auth_providers", (group) =>
  Effect.map(handlers, (all) => group.handleAll(all))
)

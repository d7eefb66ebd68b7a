import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "#api/Api"
import { handlers } from "./Handlers.ts"

/** `/v1/auth_providers` */
export const AuthProvidersHandlersV1 = HttpApiBuilder.group(Api, "v1.auth_providers", (group) =>
  Effect.map(handlers, (all) => group.handleAll(all))
)

import { Effect } from "effect"
import { Api } from "#api/Api"
import { handlerGroup } from "../RequestServices.ts"
import { handlers } from "./Handlers.ts"

/** `/v1/auth_providers` */
export const AuthProvidersHandlersV1 = handlerGroup(Api, "v1.auth_providers", (group) =>
  Effect.map(handlers, (all) => group.handleAll(all))
)

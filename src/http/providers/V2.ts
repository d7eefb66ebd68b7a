import { Effect } from "effect"
import { Api } from "#api/Api"
import { handlerGroup } from "../RequestServices.ts"
import { handlers } from "./Handlers.ts"

/** `/v2/auth_providers` */
export const AuthProvidersHandlersV2 = handlerGroup(Api, "v2.auth_providers", (group) =>
  Effect.map(handlers, (all) => group.handleAll(all))
)

import { Effect } from "effect"
import { Api } from "#api/Api"
import { handlerGroup } from "../RequestServices.ts"
import { handlers } from "./Handlers.ts"

/** `/v2/credentials` */
export const CredentialsHandlersV2 = handlerGroup(Api, "v2.credentials", (group) =>
  Effect.map(handlers, (all) => group.handleAll(all))
)

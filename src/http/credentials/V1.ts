import { Effect } from "effect"
import { Api } from "#api/Api"
import { handlerGroup } from "../RequestServices.ts"
import { handlers } from "./Handlers.ts"

/** `/v1/credentials` */
export const CredentialsHandlersV1 = handlerGroup(Api, "v1.credentials", (group) =>
  Effect.map(handlers, (all) => group.handleAll(all))
)

import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "#api/Api"
import { handlers } from "./Handlers.ts"

/** `/v2/credentials` */
export const CredentialsHandlersV2 = HttpApiBuilder.group(Api, "v2.credentials", (group) =>
  Effect.map(handlers, (all) => group.handleAll(all))
)

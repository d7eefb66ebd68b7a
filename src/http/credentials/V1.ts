import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "#api/Api"
import { handlers } from "./Handlers.ts"

/** `/v1/credentials` */
export const CredentialsHandlersV1 = HttpApiBuilder.group(Api, "v1.credentials", (group) =>
  Effect.map(handlers, (all) => group.handleAll(all))
)

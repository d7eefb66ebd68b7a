import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "#api/Api"
import { membershipBody } from "./BodiesV1.ts"
import { makeHandlers } from "./Handlers.ts"

/** `/v1/memberships` */
export const MembershipsHandlersV1 = HttpApiBuilder.group(Api, "v1.memberships", (group) =>
  Effect.map(makeHandlers(membershipBody), (all) => group.handleAll(all))
)

import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "#api/Api"
import { membershipBody } from "./BodiesV2.ts"
import { makeHandlers } from "./Handlers.ts"

/** `/v2/memberships` */
export const MembershipsHandlersV2 = HttpApiBuilder.group(Api, "v2.memberships", (group) =>
  Effect.map(makeHandlers(membershipBody), (all) => group.handleAll(all))
)

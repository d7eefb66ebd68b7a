import { Effect } from "effect"
import { Api } from "#api/Api"
import { MembershipBody } from "#api/memberships/V2"
import { handlerGroup } from "../RequestServices.ts"
import { membershipBody } from "./BodiesV2.ts"
import { makeHandlers } from "./Handlers.ts"

/** `/v2/memberships` */
export const MembershipsHandlersV2 = handlerGroup(Api, "v2.memberships", (group) =>
  Effect.map(makeHandlers("v2", MembershipBody, membershipBody), (all) => group.handleAll(all))
)

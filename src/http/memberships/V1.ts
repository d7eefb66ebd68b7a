import { Effect } from "effect"
import { Api } from "#api/Api"
import { MembershipBody } from "#api/memberships/V1"
import { handlerGroup } from "../RequestServices.ts"
import { membershipBody } from "./BodiesV1.ts"
import { makeHandlers } from "./Handlers.ts"

/** `/v1/memberships` */
export const MembershipsHandlersV1 = handlerGroup(Api, "v1.memberships", (group) =>
  Effect.map(makeHandlers("v1", MembershipBody, membershipBody), (all) => group.handleAll(all))
)

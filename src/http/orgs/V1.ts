import { Effect } from "effect"
import { Api } from "#api/Api"
import { OrgItem } from "#api/memberships/V1"
import { orgItem } from "../memberships/BodiesV1.ts"
import { newUserOf } from "../provisioning/NewUsersV1.ts"
import { handlerGroup } from "../RequestServices.ts"
import { orgBody, orgBodyWith } from "./BodiesV1.ts"
import { makeHandlers } from "./Handlers.ts"

const handlers = makeHandlers({
  item: OrgItem,
  orgItem,
  orgBody,
  orgBodyWith,
  newUser: newUserOf,
  // `/v1` shows closed orgs as `inactive` (C17).
  states: (shown) => (shown === "inactive" ? ["inactive", "closed"] : [shown])
})

/** `/v1/orgs` */
export const OrgsHandlersV1 = handlerGroup(Api, "v1.orgs", (group) =>
  Effect.map(handlers, (all) => group.handleAll(all))
)

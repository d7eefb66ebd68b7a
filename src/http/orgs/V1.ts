import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "#api/Api"
import { orgItem } from "../memberships/BodiesV1.ts"
import { newUserOf } from "../provisioning/NewUsersV1.ts"
import { orgBody, orgBodyWith } from "./BodiesV1.ts"
import { makeHandlers } from "./Handlers.ts"

const handlers = makeHandlers({
  orgItem,
  orgBody,
  orgBodyWith,
  newUser: newUserOf,
  // A closed org reads as inactive in `/v1` (C17).
  states: (shown) => (shown === "inactive" ? ["inactive", "closed"] : [shown])
})

/** `/v1/orgs` */
export const OrgsHandlersV1 = HttpApiBuilder.group(Api, "v1.orgs", (group) =>
  Effect.map(handlers, (all) => group.handleAll(all))
)

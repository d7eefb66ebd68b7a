import { Effect } from "effect"
import { Api } from "#api/Api"
import { OrgItem } from "#api/memberships/V2"
import { Orgs } from "#core/orgs/Orgs"
import { ListSummaries } from "#core/users/ListSummaries"
import type { Org } from "#domain/Org"
import { wireErrors } from "../Errors.ts"
import { orgItem } from "../memberships/BodiesV2.ts"
import { newUserOf } from "../provisioning/NewUsersV2.ts"
import { requestedSearch } from "../RequestedSearch.ts"
import { handlerGroup } from "../RequestServices.ts"
import { expands, listResponse, requestedPage } from "../WireMapping.ts"
import { orgBody, orgBodyWith } from "./BodiesV2.ts"
import { makeHandlers } from "./Handlers.ts"

const handlers = makeHandlers({
  item: OrgItem,
  orgItem,
  orgBody,
  orgBodyWith,
  newUser: newUserOf,
  states: (shown) => [shown]
})

/** `/v2/orgs`. Deleting an org without `force` only closes it. */
export const OrgsHandlersV2 = handlerGroup(
  Api,
  "v2.orgs",
  Effect.fn(function* (group) {
    const orgs = yield* Orgs
    const all = yield* handlers
    const summaries = yield* ListSummaries
    const { OrgNotFound, RealmNotFound, Rejected } = wireErrors

    const close = (id: string) =>
      orgs.close(id).pipe(Effect.map(orgBody), Effect.catchTags({ Rejected, OrgNotFound, RealmNotFound }))
    return group.handleAll({
      ...all,
      list: (request) =>
        Effect.gen(function* () {
          const { query } = request
          const search = yield* requestedSearch(query, ["reference"])
          const filter = { reference: query.reference, states: query.state === undefined ? undefined : [query.state] }
          const found = yield* search === undefined
            ? orgs.list(filter, requestedPage(query, "name"))
            : orgs.search(search, filter)
          const total =
            search === undefined && expands(query, "total_results") ? yield* summaries.countOrgs(filter) : undefined
          const counts = expands(query, "membership_count") ? yield* summaries.memberCountsOf(found.items) : undefined
          return yield* listResponse(OrgItem, (org: Org) => ({
            ...orgItem(org, expands(query, "custom")),
            ...(counts === undefined ? {} : { membership_count: counts.get(org.id) ?? 0 })
          }))({ ...found, total })
        }).pipe(Effect.catchTags({ OrgNotFound, Rejected })),
      delete: (request) => (request.query.force === true ? all.delete(request) : close(request.params.org_id))
    })
  })
)

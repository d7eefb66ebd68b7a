import { Effect, type Schema } from "effect"
import { Orgs, type OrgWithMemberships } from "#core/orgs/Orgs"
import type { NewUser } from "#core/provisioning/NewUsers"
import { withKnownProblems } from "#domain/KnownProblems"
import type { Org } from "#domain/Org"
import type { Problem } from "#domain/Rejected"
import type { EndpointRequest } from "../EndpointRequest.ts"
import { wireErrors } from "../Errors.ts"
import { orgAttributesOf } from "../provisioning/NewOrgs.ts"
import { expands, listResponse, requestedPage } from "../WireMapping.ts"
import { type NewOrgPayload, orgCreationOf } from "./Requests.ts"

const { Rejected, HashingBusy, OrgNotFound, RealmNotFound } = wireErrors

/** The parts of the org operations that differ between the versions. */
interface VersionedOrgs<Item extends Schema.Top, Body, User> {
  readonly item: Item
  readonly orgItem: (org: Org, custom: boolean) => Item["Type"]
  readonly orgBody: (org: Org) => Body
  readonly orgBodyWith: (org: OrgWithMemberships) => Body
  readonly newUser: (sent: User, problems: Array<Problem>) => NewUser
  /** Maps a state in the version's terms to the stored states that it includes. */
  readonly states: (shown: Org["state"]) => ReadonlyArray<Org["state"]>
}

type Request<Operation extends string> = EndpointRequest<"v2.orgs", Operation>

/** The operations shared by both versions. `delete` removes the org; `/v2` calls it only with `force`. */
export const makeHandlers = <Item extends Schema.Top, Body extends object, User>(
  version: VersionedOrgs<Item, Body, User>
) =>
  Effect.map(Orgs, (orgs) => ({
    list: ({ query }: Request<"list">) => {
      const states = query.state === undefined ? undefined : version.states(query.state)
      return orgs
        .list({ reference: query.reference, states }, requestedPage(query, "name"))
        .pipe(
          Effect.flatMap(listResponse(version.item, (org: Org) => version.orgItem(org, expands(query, "custom")))),
          Effect.catchTags({ OrgNotFound })
        )
    },
    get: ({ params, query }: Request<"get">) =>
      (expands(query, "memberships")
        ? Effect.map(orgs.getWithMemberships(params.org_id), version.orgBodyWith)
        : Effect.map(orgs.get(params.org_id), version.orgBody)
      ).pipe(Effect.catchTags({ OrgNotFound })),
    create: ({ payload }: { readonly payload: NewOrgPayload<User> }) => {
      const problems: Array<Problem> = []
      const creation = orgCreationOf(payload, version.newUser, problems)
      return withKnownProblems(problems, orgs.create(creation)).pipe(
        Effect.map((created) => ({ ...version.orgBodyWith(created), new_record: true as const })),
        Effect.catchTags({ Rejected, HashingBusy, RealmNotFound })
      )
    },
    update: ({ params, payload }: Request<"update">) =>
      orgs
        .update(params.org_id, orgAttributesOf(payload.org))
        .pipe(Effect.map(version.orgBody), Effect.catchTags({ Rejected, OrgNotFound, RealmNotFound })),
    delete: ({ params }: Pick<Request<"delete">, "params">) =>
      orgs.delete(params.org_id).pipe(Effect.catchTags({ OrgNotFound, RealmNotFound }))
  }))

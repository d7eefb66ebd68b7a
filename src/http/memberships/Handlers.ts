import { Effect, type Schema } from "effect"
import { Api } from "#api/Api"
import { MembershipBody as BodyV1 } from "#api/memberships/V1"
import { MembershipBody as BodyV2 } from "#api/memberships/V2"
import { Memberships } from "#core/orgs/Memberships"
import type { Version } from "#domain/Event"
import type { LinkedMembership } from "#domain/Membership"
import type { EndpointRequest } from "../EndpointRequest.ts"
import { wireErrors } from "../Errors.ts"
import { handlerGroup } from "../RequestServices.ts"
import { makeUserFilter } from "../UserFilter.ts"
import { listResponse, requestedPage } from "../WireMapping.ts"
import { membershipBody as membershipBodyV1 } from "./BodiesV1.ts"
import { membershipBody as membershipBodyV2 } from "./BodiesV2.ts"
import { membershipAttributes } from "./Requests.ts"

type Request<Operation extends string> = EndpointRequest<"v1.memberships", Operation>

/** The operations on memberships, the same in both versions. `body` builds a version's response of type `schema`. */
const makeHandlers = <Body extends Schema.Top & { readonly Type: object }>(
  version: Version,
  schema: Body,
  body: (membership: LinkedMembership) => Body["Type"]
) =>
  Effect.gen(function* () {
    const memberships = yield* Memberships
    const userIn = yield* makeUserFilter(version)
    const { Rejected, MembershipNotFound, RealmNotFound } = wireErrors
    return {
      list: ({ query }: Request<"list">) =>
        Effect.flatMap(userIn(query.user_id), (userId) =>
          memberships.list({ userId, orgId: query.org_id }, requestedPage(query, "id"))
        ).pipe(Effect.flatMap(listResponse(schema, body)), Effect.catchTags({ Rejected, MembershipNotFound })),
      get: ({ params }: Request<"get">) =>
        memberships.get(params.membership_id).pipe(Effect.map(body), Effect.catchTags({ MembershipNotFound })),
      create: ({ payload: { membership } }: Request<"create">) =>
        memberships
          .create({ userId: membership.user_id, orgId: membership.org_id ?? null, ...membershipAttributes(membership) })
          .pipe(
            Effect.map((created) => ({ ...body(created), new_record: true as const })),
            Effect.catchTags({ Rejected, RealmNotFound })
          ),
      update: ({ params, payload }: Request<"update">) =>
        memberships
          .update(params.membership_id, membershipAttributes(payload.membership))
          .pipe(Effect.map(body), Effect.catchTags({ Rejected, MembershipNotFound, RealmNotFound })),
      delete: ({ params }: Request<"delete">) =>
        memberships.delete(params.membership_id).pipe(Effect.catchTags({ MembershipNotFound, RealmNotFound }))
    }
  })

/** `/v1/memberships` */
export const MembershipsHandlersV1 = handlerGroup(Api, "v1.memberships", (group) =>
  Effect.map(makeHandlers("v1", BodyV1, membershipBodyV1), (all) => group.handleAll(all))
)

/** `/v2/memberships` */
export const MembershipsHandlersV2 = handlerGroup(Api, "v2.memberships", (group) =>
  Effect.map(makeHandlers("v2", BodyV2, membershipBodyV2), (all) => group.handleAll(all))
)

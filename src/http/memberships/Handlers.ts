import { Effect, Layer } from "effect"
import { HttpApiBuilder, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { Api } from "#api/Api"
import type { Changes, MembershipsV1 } from "#api/memberships/Endpoints"
import { Memberships } from "#core/memberships/Memberships"
import type { LinkedMembership, MembershipAttributes } from "#domain/Membership"
import { parsePermissions } from "#domain/Permission"
import { words } from "../Errors.ts"
import { given, pageAsked, utcOf } from "../WireMapping.ts"
import { membershipBody as bodyV1 } from "./BodiesV1.ts"
import { membershipBody as bodyV2 } from "./BodiesV2.ts"

/** What a request of either version says; what a version does not know is never there. */
type Asked<Operation extends string> = Omit<
  HttpApiEndpoint.Request<HttpApiEndpoint.WithIdentifier<HttpApiGroup.Endpoints<typeof MembershipsV1>, Operation>>,
  "endpoint"
>

const attributesOf = (sent: typeof Changes.Type): MembershipAttributes =>
  given({
    permissions: sent.permissions === undefined ? undefined : parsePermissions(sent.permissions ?? []),
    expiresAt: typeof sent.expires_at === "number" ? utcOf(sent.expires_at) : sent.expires_at,
    custom: sent.custom === null ? {} : sent.custom
  })

const operations = <Body extends object>(body: (membership: LinkedMembership) => Body) =>
  Effect.map(Memberships, (memberships) => {
    const { Rejected, MembershipNotFound, RealmNotFound } = words
    return {
      list: ({ query }: Asked<"list">) =>
        memberships.list({ userId: query.user_id, orgId: query.org_id }, pageAsked(query, "id")).pipe(
          Effect.map(({ items, more }) => ({ collection: items.map(body), more_results: more })),
          Effect.catchTags({ Rejected, MembershipNotFound })
        ),
      get: ({ params }: Asked<"get">) =>
        memberships.get(params.membership_id).pipe(Effect.map(body), Effect.catchTags({ MembershipNotFound })),
      create: ({ payload: { membership } }: Asked<"create">) =>
        memberships
          .create({ userId: membership.user_id, orgId: membership.org_id ?? null, ...attributesOf(membership) })
          .pipe(
            Effect.map((created) => ({ ...body(created), new_record: true as const })),
            Effect.catchTags({ Rejected, RealmNotFound })
          ),
      update: ({ params, payload }: Asked<"update">) =>
        memberships
          .update(params.membership_id, attributesOf(payload.membership))
          .pipe(Effect.map(body), Effect.catchTags({ Rejected, MembershipNotFound, RealmNotFound })),
      delete: ({ params }: Asked<"delete">) =>
        memberships.delete(params.membership_id).pipe(Effect.catchTags({ MembershipNotFound, RealmNotFound }))
    }
  })

/** `/v1/memberships`, `/v2/memberships`. */
export const MembershipsHandlers = Layer.mergeAll(
  HttpApiBuilder.group(Api, "v1.memberships", (handlers) =>
    Effect.map(operations(bodyV1), (all) => handlers.handleAll(all))
  ),
  HttpApiBuilder.group(Api, "v2.memberships", (handlers) =>
    Effect.map(operations(bodyV2), (all) => handlers.handleAll(all))
  )
)

import { Effect, type Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "#api/Api"
import type { changeable } from "#api/v2/Memberships"
import { Memberships } from "#core/memberships/Memberships"
import type { MembershipAttributes } from "#domain/Membership"
import { parsePermissions } from "#domain/Permission"
import { words } from "../Errors.ts"
import { given, pageAsked, utcOf } from "../Translate.ts"
import { membershipBody } from "./Bodies.ts"

const attributesOf = (sent: Schema.Struct<typeof changeable>["Type"]): MembershipAttributes =>
  given({
    permissions: sent.permissions === undefined ? undefined : parsePermissions(sent.permissions ?? []),
    expiresAt: typeof sent.expires_at === "number" ? utcOf(sent.expires_at) : sent.expires_at
  })

/** `/v2/memberships`. */
export const MembershipsHandlers = HttpApiBuilder.group(
  Api,
  "v2.memberships",
  Effect.fn(function* (handlers) {
    const memberships = yield* Memberships
    const { Rejected, MembershipNotFound, RealmNotFound } = words

    return handlers.handleAll({
      list: ({ query }) =>
        memberships.list({ userId: query.user_id, orgId: query.org_id }, pageAsked(query, "id")).pipe(
          Effect.map(({ items, more }) => ({ collection: items.map(membershipBody), more_results: more })),
          Effect.catchTags({ Rejected, MembershipNotFound })
        ),
      get: ({ params }) =>
        memberships
          .get(params.membership_id)
          .pipe(Effect.map(membershipBody), Effect.catchTags({ MembershipNotFound })),
      create: ({ payload: { membership } }) =>
        memberships.create({ userId: membership.user_id, orgId: membership.org_id, ...attributesOf(membership) }).pipe(
          Effect.map((created) => ({ ...membershipBody(created), new_record: true as const })),
          Effect.catchTags({ Rejected, RealmNotFound })
        ),
      update: ({ params, payload }) =>
        memberships
          .update(params.membership_id, attributesOf(payload.membership))
          .pipe(Effect.map(membershipBody), Effect.catchTags({ Rejected, MembershipNotFound, RealmNotFound })),
      delete: ({ params }) =>
        memberships.delete(params.membership_id).pipe(Effect.catchTags({ MembershipNotFound, RealmNotFound }))
    })
  })
)

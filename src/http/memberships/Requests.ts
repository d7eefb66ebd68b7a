import type { MembershipChange } from "#api/memberships/V1"
import type { MembershipAttributes } from "#domain/Membership"
import { parsePermissions } from "#domain/Permission"
import { given, utcOf } from "../WireMapping.ts"

/** The attributes that a caller sent of a membership. */
export const membershipAttributes = (sent: typeof MembershipChange.Type): MembershipAttributes =>
  given({
    permissions: sent.permissions === undefined ? undefined : parsePermissions(sent.permissions ?? []),
    expiresAt: typeof sent.expires_at === "number" ? utcOf(sent.expires_at) : sent.expires_at,
    custom: sent.custom === null ? {} : sent.custom
  })

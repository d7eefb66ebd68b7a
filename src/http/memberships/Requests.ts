import type { MembershipChange } from "#api/memberships/V1"
import type { MembershipAttributes } from "#domain/Membership"
import { parsePermissions } from "#domain/Permission"
import { omitUndefined, utcFromTimeT } from "../WireMapping.ts"

/** The membership attributes in a request. */
export const membershipAttributes = (sent: typeof MembershipChange.Type): MembershipAttributes =>
  omitUndefined({
    permissions: sent.permissions === undefined ? undefined : parsePermissions(sent.permissions ?? []),
    expiresAt: typeof sent.expires_at === "number" ? utcFromTimeT(sent.expires_at) : sent.expires_at,
    custom: sent.custom === null ? {} : sent.custom
  })

import type { Schema } from "effect"
import type { invitationFields } from "#api/invitations/V2"
import type { InvitationChanges } from "#domain/Invitation"
import { parsePermissions } from "#domain/Permission"
import { omitUndefined, utcFromTimeT } from "../WireMapping.ts"

/** What a caller changes of an invitation. Without an expiry, or with null, the core decides it. */
export const invitationChanges = (sent: Schema.Struct<typeof invitationFields>["Type"]): InvitationChanges =>
  omitUndefined({
    permissions: sent.permissions === undefined ? undefined : parsePermissions(sent.permissions ?? []),
    expiresAt: typeof sent.expires_at === "number" ? utcFromTimeT(sent.expires_at) : undefined
  })

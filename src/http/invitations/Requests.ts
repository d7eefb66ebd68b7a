import type { Schema } from "effect"
import type { invitationFields } from "#api/invitations/V2"
import type { InvitationChanges } from "#domain/Invitation"
import { parsePermissions } from "#domain/Permission"
import { omitUndefined, utcFromTimeT } from "../WireMapping.ts"

/** The changes to an invitation in a request. If the expiry is missing or null, the core sets a default. */
export const invitationChanges = (sent: Schema.Struct<typeof invitationFields>["Type"]): InvitationChanges =>
  omitUndefined({
    permissions: sent.permissions === undefined ? undefined : parsePermissions(sent.permissions ?? []),
    expiresAt: typeof sent.expires_at === "number" ? utcFromTimeT(sent.expires_at) : undefined
  })

import { maybe, Permissions, TimeT } from "../Wire.ts"

/** What a caller may change of a membership (`v2.membership`). */
export const membershipFields = { permissions: maybe(Permissions), expires_at: maybe(TimeT) }

import { maybe, Permissions, TimeT } from "../Wire.ts"

/** What a caller may change of a membership (api-v2 section 2). */
export const membershipFields = { permissions: maybe(Permissions), expires_at: maybe(TimeT) }

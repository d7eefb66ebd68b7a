import { describe } from "../Description.ts"
import { maybe, Permissions, TimeT } from "../Wire.ts"

/** The description of permissions in requests. */
export const permissionsText =
  "Up to 20 permission tags of up to 62 letters, digits or `* : ; . _ -`, as a list or as one text separated by spaces. Tags that begin with `ar:` are reserved, except for `ar:owner` and `ar:admin`. Default: none."

/** The members of a membership that a caller can change (`v2.membership`). */
export const membershipFields = {
  permissions: describe(maybe(Permissions), permissionsText),
  expires_at: describe(
    maybe(TimeT),
    "Unix time in seconds, in the future, at which the membership expires. Default, and null: never."
  )
}

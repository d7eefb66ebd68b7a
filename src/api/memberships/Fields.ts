import { describe } from "../Description.ts"
import { maybe, Permissions, TimeT } from "../Wire.ts"

/** What permissions are, for those who set them. */
export const permissionsText =
  "Up to 20 permission tags of up to 62 letters, digits or `* : ; . _ -`, as a list or as one text with spaces between them. Those that begin with `ar:` are reserved, except `ar:owner` and `ar:admin`. Default: none."

/** What a caller may change of a membership (`v2.membership`). */
export const membershipFields = {
  permissions: describe(maybe(Permissions), permissionsText),
  expires_at: describe(
    maybe(TimeT),
    "Unix time in seconds, in the future, from which the membership is gone. Default, and null: never."
  )
}

import { Schema } from "effect"
import { blockedOperations, blockReasons } from "#domain/UserBlock"
import { describe, objectType } from "../Description.ts"
import { MaybeText } from "../Wire.ts"

const UserBlockBody = Schema.Struct({
  object: objectType("user_block"),
  blocks: describe(
    Schema.String,
    "What the user can't do: log in with a password, enter an authenticator app's code (`code`), a code sent by email (`email_code`) or the code of a device (`device_code`), or receive emails (`email`).",
    { enum: blockedOperations }
  ),
  reason: describe(
    Schema.String,
    "Why: too many wrong passwords or codes (`failed_attempts`), or a rate limit (`rate_limit`).",
    { enum: blockReasons }
  ),
  limit: describe(MaybeText, "The name of the rate limit, such as `attempts`; null for other reasons."),
  only_in_browser: describe(
    Schema.Boolean,
    "Whether the block concerns only one browser in which the user has logged in before."
  ),
  ends_at: describe(Schema.Finite, "Unix time in seconds at which the block ends by itself.")
}).annotate({ identifier: "UserBlock" })

/** The blocks of a user (C290). */
export const UserBlocksBody = Schema.Struct({
  object: objectType("user_blocks"),
  user_id: describe(Schema.String, "The user's ID."),
  blocks: describe(Schema.Array(UserBlockBody), "The user's blocks. Empty if nothing is blocked.")
}).annotate({ identifier: "UserBlocks" })

// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { UserBlock } from "./UserBlock.ts"

/** A user blocks. */
export interface UserBlocks {
  /** The type of the object: always `user_blocks`. */
  readonly object: "user_blocks"
  /** The user's ID. */
  readonly user_id: string
  /** The user's blocks. Empty if nothing is blocked. */
  readonly blocks: ReadonlyArray<UserBlock>
}

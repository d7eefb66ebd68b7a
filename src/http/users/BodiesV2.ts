import type { UserBlocksBody } from "#api/users/Blocks"
import type { UserBody } from "#api/users/V2"
import type { LinkedMembership } from "#domain/Membership"
import type { User } from "#domain/User"
import type { UserBlock } from "#domain/UserBlock"
import type { UserDetails } from "#domain/UserDetails"
import { membershipBody, userMembers } from "../memberships/BodiesV2.ts"
import { timeT, timeTOrNull } from "../WireMapping.ts"
import { credentialItems } from "./CredentialItems.ts"

/** A complete user. */
export const userBody = ({ user, credentials, membershipCount }: UserDetails): typeof UserBody.Type => ({
  ...userMembers(user),
  custom: user.custom,
  credentials: credentialItems(credentials),
  deletion_at: timeTOrNull(user.deletionAt),
  membership_count: membershipCount
})

/** A user with their memberships. */
export const userBodyWith = (
  details: UserDetails & { readonly memberships: ReadonlyArray<LinkedMembership> }
): typeof UserBody.Type => ({ ...userBody(details), memberships: details.memberships.map(membershipBody) })

/** The blocks of a user. */
export const userBlocksBody = (user: User, blocks: ReadonlyArray<UserBlock>): typeof UserBlocksBody.Type => ({
  object: "user_blocks",
  user_id: user.id,
  blocks: blocks.map(({ blocks, reason, limit, onlyInBrowser, endsAt }) => ({
    object: "user_block",
    blocks,
    reason,
    limit,
    only_in_browser: onlyInBrowser,
    ends_at: timeT(endsAt)
  }))
})

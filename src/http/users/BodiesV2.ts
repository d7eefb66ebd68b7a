import type { UserBlocksBody } from "#api/users/Blocks"
import type { TrustedDevicesBody } from "#api/users/TrustedDevices"
import type { UserBody } from "#api/users/V2"
import type { LinkedMembership } from "#domain/Membership"
import type { TrustedDevice } from "#domain/TrustedDevice"
import type { User } from "#domain/User"
import type { UserBlock } from "#domain/UserBlock"
import type { UserDetails } from "#domain/UserDetails"
import { membershipBody, userMembers } from "../memberships/BodiesV2.ts"
import { requestAttributes, timeT, timeTOrNull } from "../WireMapping.ts"
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

/** The devices that a user trusts. */
export const trustedDevicesBody = (
  user: User,
  devices: ReadonlyArray<TrustedDevice>
): typeof TrustedDevicesBody.Type => ({
  object: "trusted_devices",
  user_id: user.id,
  trusted_devices: devices.map((device) => ({
    object: "trusted_device",
    created_at: timeT(device.createdAt),
    expires_at: timeT(device.expiresAt),
    request: requestAttributes(device)
  }))
})

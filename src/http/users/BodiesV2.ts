import type { UserBody } from "#api/users/V2"
import type { LinkedMembership } from "#domain/Membership"
import type { UserDetails } from "#domain/UserDetails"
import { membershipBody, userMembers } from "../memberships/BodiesV2.ts"
import { credentialItems } from "./CredentialItems.ts"

/** A complete user. */
export const userBody = ({ user, credentials, membershipCount }: UserDetails): typeof UserBody.Type => ({
  ...userMembers(user),
  custom: user.custom,
  credentials: credentialItems(credentials),
  membership_count: membershipCount
})

/** A user with their memberships. */
export const userBodyWith = (
  details: UserDetails & { readonly memberships: ReadonlyArray<LinkedMembership> }
): typeof UserBody.Type => ({ ...userBody(details), memberships: details.memberships.map(membershipBody) })

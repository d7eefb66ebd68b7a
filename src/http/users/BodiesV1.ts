import type { UserBody } from "#api/users/V1"
import type { LinkedMembership } from "#domain/Membership"
import type { UserDetails } from "#domain/UserDetails"
import { membershipBody, userMembers } from "../memberships/BodiesV1.ts"
import { credentialItems } from "./CredentialItems.ts"

/** A complete user. `apiKey` is null if the caller may not see it. */
export const userBody = (
  { user, credentials, membershipCount }: UserDetails,
  apiKey: string | null
): typeof UserBody.Type => ({
  ...userMembers(user),
  custom: user.custom,
  credentials: credentialItems(credentials),
  membership_count: membershipCount,
  ...(user.userType === "api" ? { api_key: apiKey } : {})
})

/** A user with their memberships. */
export const userBodyWith = (
  details: UserDetails & { readonly memberships: ReadonlyArray<LinkedMembership> },
  apiKey: string | null
): typeof UserBody.Type => ({ ...userBody(details, apiKey), memberships: details.memberships.map(membershipBody) })

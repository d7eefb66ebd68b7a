import type { OrgBody } from "#api/orgs/V2"
import type { OrgWithMemberships } from "#core/orgs/Orgs"
import type { Org } from "#domain/Org"
import { membershipBody, orgMembers } from "../memberships/BodiesV2.ts"

/** A complete org. */
export const orgBody = (org: Org): typeof OrgBody.Type => ({ ...orgMembers(org), custom: org.custom })

/** An org with its memberships, which omit the org. */
export const orgBodyWith = ({ org, memberships }: OrgWithMemberships): typeof OrgBody.Type => ({
  ...orgBody(org),
  memberships: memberships.map((membership) => membershipBody({ ...membership, org: null }))
})

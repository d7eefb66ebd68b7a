import type { Custom, Decoded, DecodedMembership } from "../Decoded.ts"

/** An org of a session, with the user's permissions. */
export interface SessionOrg {
  readonly id: string
  /** Missing if the realm's tokens don't include it. */
  readonly name?: string
  /** The app's own ID for the org, or null if it has none. Missing if the realm's tokens don't include it. */
  readonly reference?: string | null
  readonly custom?: Custom
  /** Missing in tokens with only version 1 claims. */
  readonly membership_id?: string
  readonly permissions: ReadonlyArray<string>
}

/** The session in a request's token, and the org of the request. */
export interface Session extends Decoded {
  /** The orgs in the token. */
  readonly orgs: ReadonlyArray<SessionOrg>
  /** The org named by the request, or else the token's org, or else the user's only org. Null if none of these exists. */
  readonly org: SessionOrg | null
  /** The user's permissions in `org`. Without an org, the permissions of memberships that have no org. */
  readonly permissions: ReadonlyArray<string>
}

const orgIn = ({ id, org_id, permissions, org }: DecodedMembership): SessionOrg | undefined =>
  org_id === null
    ? undefined
    : {
        id: org_id,
        ...(org?.name === undefined ? {} : { name: org.name }),
        ...(org?.reference === undefined ? {} : { reference: org.reference }),
        ...(org?.custom === undefined ? {} : { custom: org.custom }),
        ...(id === undefined ? {} : { membership_id: id }),
        permissions
      }

/** Returns the session for a request that may name an org. Undefined if the token doesn't list that org. */
export const sessionFor = (decoded: Decoded, orgId: string | undefined): Session | undefined => {
  const memberships = decoded.user.memberships ?? []
  const orgs = memberships.map(orgIn).filter((org) => org !== undefined)
  const selected = memberships.find((membership) => membership.selected === true)?.org_id
  const chosen = orgId ?? selected ?? (orgs.length === 1 ? orgs[0]?.id : undefined)
  const org = orgs.find(({ id }) => id === chosen) ?? null
  if (orgId !== undefined && org === null) return undefined
  const withoutOrg = memberships.filter(({ org_id }) => org_id === null).flatMap(({ permissions }) => permissions)
  return { ...decoded, orgs, org, permissions: org?.permissions ?? withoutOrg }
}

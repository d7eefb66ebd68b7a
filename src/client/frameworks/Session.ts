import type { Custom, Decoded, DecodedMembership } from "../Decoded.ts"

/** An org of a session, with what the user may do in it. */
export interface SessionOrg {
  readonly id: string
  /** Missing where the realm's tokens don't show it. */
  readonly name?: string
  /** The app's own id for the org; null if it has none. Missing where the realm's tokens don't show it. */
  readonly reference?: string | null
  readonly custom?: Custom
  /** Missing in tokens with claims of version 1 only. */
  readonly membership_id?: string
  readonly permissions: ReadonlyArray<string>
}

/** Who makes a request: the session in its token, and the org that the request is about. */
export interface Session extends Decoded {
  /** The orgs that the token names. */
  readonly orgs: ReadonlyArray<SessionOrg>
  /** The org that the request names, else the one that the token is for, else the only one; null if none of these. */
  readonly org: SessionOrg | null
  /** The user's permissions in `org`; without one those of memberships in no org. */
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

/** The session for a request that names an org, or none. Undefined if the token is not for the org that it names. */
export const sessionFor = (decoded: Decoded, orgId: string | undefined): Session | undefined => {
  const memberships = decoded.user.memberships ?? []
  const orgs = memberships.map(orgIn).filter((org) => org !== undefined)
  const selected = memberships.find((membership) => membership.selected === true)?.org_id
  const chosen = orgId ?? selected ?? (orgs.length === 1 ? orgs[0]?.id : undefined)
  const org = orgs.find(({ id }) => id === chosen) ?? null
  if (orgId !== undefined && org === null) return undefined
  const apart = memberships.filter(({ org_id }) => org_id === null).flatMap(({ permissions }) => permissions)
  return { ...decoded, orgs, org, permissions: org?.permissions ?? apart }
}

import { type Authentication } from "../Authentication.ts"
import { type Claims, loginClaims } from "../Claims.ts"
import type { OAuthClient } from "../clients/OAuthClient.ts"
import type { StandardScope } from "../clients/OAuthScope.ts"
import { foldedEmail } from "../Email.ts"
import type { OrgId } from "../Ids.ts"
import type { LinkedMembership } from "../Membership.ts"
import { isEmailVerified } from "../ProvedEmail.ts"
import type { User } from "../User.ts"
import { ownUsername } from "../Username.ts"
import { type ClaimsRequest, parseClaimsRequest } from "./ClaimsRequest.ts"
import type { OAuthGrant } from "./OAuthGrant.ts"

/** The user that claims are about, as shown in the realm, with the memberships that the grant covers. */
export interface ClaimsSubject {
  readonly user: User
  readonly memberships: ReadonlyArray<LinkedMembership>
  /** The only org whose membership to include, or null for all. */
  readonly orgId: OrgId | null
}

type Claim = (subject: ClaimsSubject) => unknown

/** The memberships, in the same form as in login tokens (C29). */
const orgs: Claim = ({ memberships, orgId }) =>
  memberships.map(({ id, orgId: oid, permissions, org }) => ({
    mid: id,
    oid,
    perm: permissions,
    selected: oid !== null && oid === orgId,
    ...(org === null ? {} : { name: org.name, ref: org.reference })
  }))

/** The claims for each scope (OpenID Connect Core §5.4). Claims without a value are omitted. */
const claimsOfScope: Readonly<Record<StandardScope, Readonly<Record<string, Claim>>>> = {
  openid: {},
  profile: {
    name: ({ user }) => user.name,
    given_name: ({ user }) => user.firstName,
    family_name: ({ user }) => user.lastName,
    preferred_username: ({ user }) => ownUsername(user),
    locale: ({ user }) => user.locale
  },
  email: {
    email: ({ user }) => (user.email === null ? null : foldedEmail(user.email)),
    email_verified: ({ user }) => (user.email === null ? null : isEmailVerified(user))
  },
  offline_access: {},
  orgs: { orgs }
}

const isStandard = (scope: string): scope is StandardScope => Object.hasOwn(claimsOfScope, scope)

/** All claims about users, for discovery. */
export const userClaims: ReadonlyArray<string> = Object.values(claimsOfScope).flatMap((claims) => Object.keys(claims))

/** The scope that a claim belongs to, or undefined if the claim is unknown. */
export const scopeOfClaim = (claim: string): StandardScope | undefined =>
  Object.keys(claimsOfScope).find(
    (scope): scope is StandardScope => isStandard(scope) && Object.hasOwn(claimsOfScope[scope], claim)
  )

/** The claims of a scope for a subject, limited to those wanted. */
const claimsIn = (scope: StandardScope, subject: ClaimsSubject, isWanted: (claim: string) => boolean): Claims =>
  Object.fromEntries(
    Object.entries(claimsOfScope[scope])
      .filter(([claim]) => isWanted(claim))
      .map(([claim, valueOf]): [string, unknown] => [claim, valueOf(subject)])
      .filter(([, value]) => value !== null)
  )

const claimsWhere = (subject: ClaimsSubject, isWanted: (claim: string, scope: StandardScope) => boolean): Claims =>
  Object.assign(
    {},
    ...Object.keys(claimsOfScope)
      .filter(isStandard)
      .map((scope) => claimsIn(scope, subject, (claim) => isWanted(claim, scope)))
  )

/** The fields of a grant on which its claims depend. */
export type ClaimsGrant = Pick<OAuthGrant, "scopes" | "claims">

/**
 * Returns whether the `claims` parameter of a grant yields a claim. The claim's scope must also be granted, unless the
 * client is first-party and skips consent (C170).
 */
const isGranted = (
  requested: ReadonlyArray<string>,
  { scopes }: ClaimsGrant,
  { consent, allowedScopes }: Pick<OAuthClient, "consent" | "allowedScopes">
) => {
  const names = new Set(requested)
  return (claim: string, scope: StandardScope) =>
    names.has(claim) && (scopes.includes(scope) || (consent === "skip" && allowedScopes.includes(scope)))
}

const requestOf = ({ claims }: Pick<ClaimsGrant, "claims">): ClaimsRequest =>
  parseClaimsRequest(claims) ?? { userinfo: [], idToken: [] }

/**
 * The scopes of all data that a client obtains through a request. Besides the requested scopes, first-party clients get
 * those of the claims requested by name (C170).
 */
export const disclosedScopes = ({
  scopes,
  claims,
  client: { consent, allowedScopes }
}: ClaimsGrant & { readonly client: Pick<OAuthClient, "consent" | "allowedScopes"> }): ReadonlyArray<string> => {
  const { userinfo, idToken } = requestOf({ claims })
  const named = [...userinfo, ...idToken].flatMap((claim) => scopeOfClaim(claim) ?? [])
  const more = consent === "skip" ? named.filter((scope) => allowedScopes.includes(scope)) : []
  return [...new Set([...scopes, ...more])]
}

/** Returns whether the claims of a grant include memberships, which must then be loaded. `scopes` are the token's scopes. */
export const containsOrgs = (grant: ClaimsGrant, scopes: ReadonlyArray<string>): boolean =>
  scopes.includes("orgs") ||
  Object.values(requestOf(grant)).some((names: ReadonlyArray<string>) => names.includes("orgs"))

/** The claims returned by the userinfo endpoint. `scopes` are those of the access token, which may be fewer than were granted. */
export const userinfoClaims = (
  subject: ClaimsSubject,
  grant: ClaimsGrant,
  client: Pick<OAuthClient, "consent" | "allowedScopes">,
  scopes: ReadonlyArray<string>
): Claims => {
  const isAsked = isGranted(requestOf(grant).userinfo, grant, client)
  return {
    sub: subject.user.id,
    ...claimsWhere(subject, (claim, scope) => scopes.includes(scope) || isAsked(claim, scope))
  }
}

/**
 * The scopes whose claims are in ID tokens by default. Memberships are not, because they could make the token too long for
 * a URL.
 */
const idTokenScopes: ReadonlyArray<string> = ["profile", "email"] satisfies ReadonlyArray<StandardScope>

/**
 * The claims about the user in an ID token (C169): those of the scopes `profile` and `email`, unless the client wants none,
 * and those requested in the `claims` parameter. `scopes` are those of the token request.
 */
export const idTokenUserClaims = (
  subject: ClaimsSubject,
  grant: ClaimsGrant,
  client: Pick<OAuthClient, "consent" | "allowedScopes" | "idTokenClaims">,
  scopes: ReadonlyArray<string>
): Claims => {
  const isAsked = isGranted(requestOf(grant).idToken, grant, client)
  const included = client.idTokenClaims === "minimal" ? [] : idTokenScopes.filter((scope) => scopes.includes(scope))
  return claimsWhere(subject, (claim, scope) => included.includes(scope) || isAsked(claim, scope))
}

/** The claims about the user in an access token: memberships, for resource servers, and how the user logged in. */
export const accessTokenUserClaims = (
  subject: ClaimsSubject,
  scopes: ReadonlyArray<string>,
  authentication: Authentication | null
): Claims => ({
  ...(authentication === null ? {} : loginClaims(authentication)),
  ...(scopes.includes("orgs") ? claimsIn("orgs", subject, () => true) : {})
})

import type { DateTime } from "effect"
import { type Authentication, authenticationClaims } from "./Authentication.ts"
import { foldedEmail } from "./Email.ts"
import type { LinkedMembership } from "./Membership.ts"
import { isEmailVerified } from "./ProvedEmail.ts"
import type { Realm } from "./Realm.ts"
import type { User } from "./User.ts"
import { ownUsername } from "./Username.ts"

/** The user and session that a login token is issued for (C29). */
export interface TokenSubject {
  readonly issuer: string
  readonly realm: Realm
  readonly sessionId: string
  readonly user: User
  readonly memberships: ReadonlyArray<LinkedMembership>
  readonly selectedOrgId: string | null
  /** How the user logged in. If null, the token has no claims about it. */
  readonly authentication: Authentication | null
  readonly issuedAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc | null
}

export type Claims = Readonly<Record<string, unknown>>

const seconds = (at: DateTime.Utc): number => Math.floor(at.epochMilliseconds / 1000)

/** The claims about a login, as used in tokens and sessions (C146). `auth_time` is in seconds since 1970. */
export const loginClaims = (authentication: Authentication) => ({
  auth_time: seconds(authentication.at),
  ...authenticationClaims(authentication.methods)
})

const orgClaims = (subject: TokenSubject, fields: { readonly orgs: boolean; readonly custom: boolean }) =>
  subject.memberships.map((membership) => ({
    mid: membership.id,
    oid: membership.orgId,
    perm: membership.permissions,
    selected: membership.orgId !== null && membership.orgId === subject.selectedOrgId,
    ...(fields.orgs && membership.org !== null
      ? {
          name: membership.org.name,
          ref: membership.org.reference,
          ...(fields.custom ? { cs: membership.org.custom } : {})
        }
      : {})
  }))

const v1Memberships = (subject: TokenSubject, fields: { readonly orgs: boolean; readonly custom: boolean }) =>
  subject.memberships.map((membership) => ({
    p: membership.permissions,
    oid: membership.orgId,
    ...(fields.custom ? { cs: membership.custom } : {}),
    ...(fields.orgs && membership.org !== null
      ? { o: membership.org.name, ...(fields.custom ? { ocs: membership.org.custom } : {}) }
      : {})
  }))

/**
 * The claims of a login token: the v2 claims, and the v1 claims if the realm's `jwt_claims` is `both`. The two sets never
 * overlap.
 */
export const buildClaims = (subject: TokenSubject): Claims => {
  const { realm, user } = subject
  const withCustom = realm.jwtFields.includes("custom")
  const fields = { orgs: realm.jwtFields.includes("orgs") || subject.selectedOrgId !== null, custom: withCustom }
  const withMemberships = realm.jwtFields.includes("memberships") || subject.selectedOrgId !== null
  const claims: Record<string, unknown> = {
    iss: subject.issuer,
    sub: user.id,
    rid: realm.id,
    sid: subject.sessionId,
    iat: seconds(subject.issuedAt),
    preferred_username: ownUsername(user),
    given_name: user.firstName,
    family_name: user.lastName,
    name: user.name,
    email: user.email === null ? null : foldedEmail(user.email),
    email_verified: isEmailVerified(user),
    ref: user.reference
  }
  if (subject.expiresAt !== null) claims.exp = seconds(subject.expiresAt)
  if (subject.authentication !== null) Object.assign(claims, loginClaims(subject.authentication))
  if (withCustom) claims.cs = user.custom
  if (withMemberships) claims.orgs = orgClaims(subject, fields)
  if (realm.jwtClaims === "both") {
    Object.assign(claims, {
      uid: user.id,
      aud: realm.id,
      tk: subject.sessionId,
      un: ownUsername(user)?.toLowerCase() ?? null,
      fn: user.firstName,
      ln: user.lastName,
      n: user.name
    })
    if (withMemberships) claims.m = v1Memberships(subject, fields)
  }
  return claims
}

import type { UserRow } from "#api/imports/Rows"
import type { ExportedMembership, ExportedUser, ExportRun } from "#core/imports/Exports"
import { isSocial } from "#domain/Credential"
import { isEmailVerified } from "#domain/ProvedEmail"
import type { User } from "#domain/User"
import { timeT, timeTOrNull } from "../WireMapping.ts"

type Row = typeof UserRow.Encoded
type RowCredential = NonNullable<Row["credentials"]>[number]
type RowMembership = NonNullable<Row["memberships"]>[number]

/** The members that depend on the credential's type. */
const ofType = (
  credential: ExportedUser["credentials"][number],
  providerNames: ExportRun["providerNames"]
): Partial<RowCredential> => {
  const { credentialType, secret, authProviderId } = credential
  if (credentialType === "password") {
    const locked = credential.lockedAt === null ? {} : { locked_at: timeT(credential.lockedAt) }
    return { password_hash: credential.passwordHash, ...locked }
  }
  if (credentialType === "api_key") return { api_key: secret }
  if (!isSocial(credentialType))
    return { name: credential.name, otp_secret: secret, state: credential.state ?? "active" }
  const name = authProviderId === null ? undefined : providerNames.get(authProviderId)
  return {
    ...(name === undefined ? {} : { auth_provider_name: name }),
    provider_user_id: credential.providerUserId,
    ...(secret === null ? {} : { access_token: secret }),
    ...(credential.tokenExpiresAt === null ? {} : { token_expires_at: timeT(credential.tokenExpiresAt) })
  }
}

const membershipRow = ({ membership, org }: ExportedMembership): RowMembership => ({
  org:
    org === null
      ? null
      : {
          reference: org.reference,
          name: org.name,
          state: org.state,
          custom: org.custom,
          created_at: timeT(org.createdAt)
        },
  permissions: membership.permissions,
  custom: membership.custom,
  expires_at: timeTOrNull(membership.expiresAt),
  created_at: timeT(membership.createdAt)
})

/** Omitted if the address was never verified, because an import would mark it as verified. */
const verificationOf = (user: User) =>
  user.emailVerification !== "verified" || isEmailVerified(user) ? { email_verification: user.emailVerification } : {}

/** A user in the format of imports. */
export const userRow = (
  { user, reference, credentials, memberships }: ExportedUser,
  providerNames: ExportRun["providerNames"]
): Row => ({
  reference,
  user_type: user.userType,
  state: user.state,
  email: user.email,
  ...(user.userType === "human"
    ? { ...verificationOf(user), first_name: user.firstName, last_name: user.lastName }
    : { name: user.name }),
  username: user.username,
  ...(user.userType === "human" ? { locale: user.locale } : {}),
  custom: user.custom,
  created_at: timeT(user.createdAt),
  last_login_at: timeTOrNull(user.lastLoginAt),
  credentials: credentials.map((credential) => ({
    credential_type: credential.credentialType,
    ...ofType(credential, providerNames),
    created_at: timeT(credential.createdAt)
  })),
  memberships: memberships.map(membershipRow)
})

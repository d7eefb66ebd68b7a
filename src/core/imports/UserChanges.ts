import type { DateTime } from "effect"
import { Equal } from "effect"
import type { Credential, CredentialDetails } from "#domain/Credential"
import { isSocial } from "#domain/Credential"
import { customProblems, mergeCustom } from "#domain/Custom"
import type { CredentialId } from "#domain/Ids"
import type { Membership } from "#domain/Membership"
import { isEmailVerified } from "#domain/ProvedEmail"
import { atPath, type Problem, problem } from "#domain/Rejected"
import type { User, UserAttributes } from "#domain/User"
import { decideUserChange, type UserChange } from "#domain/UserChange"
import { usernameProblems } from "#domain/Username"
import { constantTimeEqual } from "#platform/Tokens"
import type { StoredCredential, StoredUser } from "#store/imports/ImportsRepo"
import { countProblems, type DraftedCredential } from "./CredentialDrafts.ts"
import type { DraftedMembership, DraftedRow } from "./RowDrafts.ts"

/** A row's changes to a user's credentials. */
export interface CredentialChanges {
  readonly added: ReadonlyArray<DraftedCredential>
  readonly replaced: ReadonlyArray<{ readonly id: CredentialId; readonly passwordHash: string }>
  readonly problems: ReadonlyArray<Problem>
}

/** Returns whether the row's email verification leaves the stored one unchanged. */
const isVerificationUnchanged = (before: User, { email = before.email, emailVerification }: UserAttributes): boolean =>
  emailVerification === "verified"
    ? isEmailVerified({ ...before, email })
    : emailVerification === undefined || emailVerification === before.emailVerification

/** The attributes in a row that may change the user. */
const newAttributes = (before: User, { attributes, clearsCustom, reference }: DraftedRow): UserAttributes => {
  const { emailVerification, custom, ...rest } = attributes
  return {
    ...rest,
    ...(custom === undefined ? {} : { custom: mergeCustom(before.custom, clearsCustom ? null : custom) }),
    ...(isVerificationUnchanged(before, attributes) ? {} : { emailVerification }),
    // If the row refers to the user by ID, that ID is not a new reference.
    ...(reference === before.id ? {} : { reference })
  }
}

/** Decides how a row changes the profile of its user. */
export const profileChange = (before: User, row: DraftedRow): UserChange =>
  decideUserChange(before, newAttributes(before, row), undefined)

/** Returns whether this service made the hash. If so, the user has logged in or set a password since the import. */
type IsOwnHash = (hash: string) => boolean

const isEqual = (one: string, other: string): boolean => constantTimeEqual(Buffer.from(one), Buffer.from(other))

const isSame = (stored: StoredCredential, drafted: DraftedCredential): boolean => {
  if (stored.credentialType !== drafted.credentialType) return false
  if (drafted.keyDigest !== null) {
    return constantTimeEqual(Buffer.from(stored.keyDigest ?? "", "hex"), drafted.keyDigest)
  }
  if (isSocial(drafted.credentialType)) {
    return stored.authProviderId === drafted.authProviderId && stored.providerUserId === drafted.providerUserId
  }
  return drafted.credentialType === "password" || stored.name === drafted.name
}

type Counted = Pick<CredentialDetails, "authProviderId"> & Pick<Credential, "credentialType">

/**
 * Decides how a row changes the credentials of its user (C79). Replaces an imported password unless it has already been used
 * with this service.
 */
export const credentialChanges = (
  stored: ReadonlyArray<StoredCredential>,
  drafted: ReadonlyArray<DraftedCredential>,
  isOwn: IsOwnHash
): CredentialChanges => {
  const added = drafted.filter((one) => !stored.some((known) => isSame(known, one)))
  const replaced = drafted.flatMap(({ credentialType, passwordHash }) => {
    const known = stored.find((one) => one.credentialType === "password")
    if (credentialType !== "password" || passwordHash === null || known === undefined) return []
    const isKept = known.passwordHash === null || isEqual(known.passwordHash, passwordHash) || isOwn(known.passwordHash)
    return isKept ? [] : [{ id: known.id, passwordHash }]
  })
  const counted: ReadonlyArray<Counted> = [...stored, ...added]
  return { added, replaced, problems: added.length === 0 ? [] : countProblems(counted) }
}

/** Returns the user's membership with the row's changes, or undefined if nothing changes. */
export const membershipChange = (
  before: Membership,
  { permissions, custom, expiresAt }: DraftedMembership
): Membership | undefined => {
  const after: Membership = {
    ...before,
    ...(permissions === undefined ? {} : { permissions }),
    ...(custom === undefined ? {} : { custom: mergeCustom(before.custom, custom) }),
    ...(expiresAt === undefined ? {} : { expiresAt })
  }
  return Equal.equals(before, after) ? undefined : after
}

/**
 * Returns the problems with the custom attributes of a user and its memberships, after those of the row are merged into them.
 */
export const customProblemsAfter = (
  { user }: StoredUser,
  row: DraftedRow,
  membershipOf: (draft: DraftedMembership) => Membership | undefined
): ReadonlyArray<Problem> => [
  ...(row.attributes.custom === undefined ? [] : customProblems(newAttributes(user, row).custom)),
  ...row.memberships.flatMap((draft, index) => {
    const held = draft.custom === undefined ? undefined : membershipOf(draft)
    return held === undefined
      ? []
      : atPath(`memberships[${index}]`, customProblems(membershipChange(held, draft)?.custom))
  })
]

/** Returns whether a membership has expired. */
export const hasExpired = ({ expiresAt }: Membership, now: DateTime.Utc): boolean =>
  expiresAt !== null && expiresAt.epochMilliseconds <= now.epochMilliseconds

/** Returns the reasons why the row can't be applied to the users found for it. */
export const matchProblems = (found: ReadonlyArray<StoredUser>, row: DraftedRow): ReadonlyArray<Problem> => {
  const [match, ...others] = found
  if (others.length > 0) return [problem("reference", "ambiguous")]
  const before = match?.user ?? { username: null, email: null }
  const { username = before.username, email = before.email } = row.attributes
  const wrongName = usernameProblems({ username, email }, before)
  if (match === undefined) {
    const isBlank = row.userType === "human" && row.attributes.email === undefined
    return isBlank ? [problem("email", "blank")] : wrongName
  }
  return match.user.userType === row.userType ? wrongName : [problem("user_type", "unchangeable")]
}

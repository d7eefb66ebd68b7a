import { type DateTime, Effect } from "effect"
import type { CredentialType } from "#domain/Credential"
import { foldedEmail } from "#domain/Email"
import { changedMembers } from "#domain/EventChanges"
import { isId, type UserId } from "#domain/Ids"
import type { RefusedRow } from "#domain/ImportRow"
import type { Membership } from "#domain/Membership"
import type { Org } from "#domain/Org"
import { provedEmailAfter } from "#domain/ProvedEmail"
import type { Realm } from "#domain/Realm"
import { isBeingReset } from "#domain/RealmReset"
import { atPath, type Problem, problem } from "#domain/Rejected"
import { displayName, type User } from "#domain/User"
import type { UserChange } from "#domain/UserChange"
import type { Entropy } from "#platform/Entropy"
import type { IdGenerator } from "#platform/IdGenerator"
import { randomSecret } from "#platform/Tokens"
import type { ReplacedPassword } from "#store/imports/ImportedRows"
import type { StoredUser, TakenValue } from "#store/imports/ImportsRepo"
import type { NewCredential } from "#store/users/CredentialsRepo"
import { makeBatchOrgs } from "./BatchOrgs.ts"
import { type Claim, credentialClaims, Holders, nameClaims, valuesOf } from "./Claims.ts"
import type { DraftedCredential } from "./CredentialDrafts.ts"
import type { KeptIds } from "./KeptIds.ts"
import type { DraftedMembership, DraftedRow } from "./RowDrafts.ts"
import {
  credentialChanges,
  customProblemsAfter,
  hasExpired,
  matchProblems,
  membershipChange,
  profileChange
} from "./UserChanges.ts"

/** A user changed by a batch. `credentials` are the members of the user in which the changed credentials appear. */
export interface ChangedUser {
  readonly change: UserChange
  readonly credentials: ReadonlyArray<string>
  /** Whether the password is replaced. */
  readonly replacesPassword: boolean
}

/** A changed membership, with the names of the members that differ. */
export interface ChangedMembership {
  readonly membership: Membership
  readonly changed: ReadonlyArray<string>
}

/** The member of a user in which credentials of this type appear. */
const memberOfCredential = (type: CredentialType): string =>
  type === "password" || type === "api_key" ? type : "credentials"

/** The rows that a batch will write, and the rows it rejects. */
export interface BatchPlan {
  readonly rejectedRows: Array<RefusedRow>
  unchanged: number
  readonly newUsers: Array<User>
  readonly changedUsers: Array<ChangedUser>
  /** Whether a new user or org has the id in its row. */
  keepsIds: boolean
  readonly newOrgs: ReadonlyArray<Org>
  readonly newCredentials: Array<NewCredential>
  readonly replacedPasswords: Array<ReplacedPassword>
  readonly newMemberships: Array<Membership>
  readonly changedMemberships: Array<ChangedMembership>
  /** Expired memberships that new ones replace. */
  readonly expired: Array<Membership>
  /** The users who have the unique values that occur in this batch. */
  readonly holders: Holders
}

/** The stored data that the rows of a batch refer to. */
export interface StoredData {
  readonly users: ReadonlyArray<StoredUser>
  readonly orgs: ReadonlyArray<Org>
  readonly taken: ReadonlyArray<TakenValue>
  /** Whether new users and orgs may have the ids in the rows. */
  readonly keptIds: KeptIds
  /** The lines of users created by earlier batches. In a dry run, also the unique values of those users. */
  readonly earlier: Holders
}

/** Finds the users to which a row may refer: those with its reference, or else the user with this ID. */
const matcher = (realm: Realm, users: ReadonlyArray<StoredUser>) => {
  const known = users.filter(({ user }) => !isBeingReset(realm.pendingReset, "user", user.id))
  const byId = new Map(known.map((one) => [one.user.id as string, one]))
  const byReference = new Map<string, ReadonlyArray<StoredUser>>()
  for (const one of known) {
    const { reference } = one.user
    if (reference !== null) byReference.set(reference, [...(byReference.get(reference) ?? []), one])
  }
  return ({ reference }: DraftedRow): ReadonlyArray<StoredUser> => {
    const same = byReference.get(reference) ?? []
    const withId = byId.get(reference)
    return same.length > 0 || withId === undefined ? same : [withId]
  }
}

/** The references and IDs of users in the rows. */
export const namedUsers = (rows: ReadonlyArray<DraftedRow>) => {
  const references = rows.map(({ reference }) => reference)
  return { references, ids: references.filter((text): text is UserId => isId("user", text)) }
}

/**
 * The attributes that a row writes. They include the user's stored email if it differs from its folded form, because the
 * folded form has to be checked too (C257).
 */
const writtenAttributes = ({ attributes }: DraftedRow, match: StoredUser | undefined): DraftedRow["attributes"] => {
  const email = match === undefined ? null : match.user.email
  return email === null || foldedEmail(email) === email ? attributes : { email, ...attributes }
}

/**
 * Returns all unique values in the rows that change something, or undefined if no row changes anything that has to be checked.
 */
export const claimedValues = (
  rows: ReadonlyArray<DraftedRow>,
  users: ReadonlyArray<StoredUser>,
  realm: Realm,
  isOwnHash: (hash: string) => boolean
) => {
  const matchesOf = matcher(realm, users)
  const differing = rows.filter((row) => {
    const [match] = matchesOf(row)
    if (match === undefined) return true
    const { events } = profileChange(match.user, row)
    return events.length > 0 || credentialChanges(match.credentials, row.credentials, isOwnHash).added.length > 0
  })
  if (differing.length === 0) return undefined
  return valuesOf(
    differing.flatMap((row) => nameClaims(writtenAttributes(row, matchesOf(row)[0]), true)),
    differing.flatMap(({ credentials }) => credentials)
  )
}

/** Returns the problems with the id in a row. `own`: the id of the user that the row updates. */
const idProblems = (id: UserId, own: UserId | undefined, keptIds: KeptIds): ReadonlyArray<Problem> => {
  if (own !== undefined) return own === id ? [] : [problem("id", "unchangeable")]
  const wrong = keptIds.problemOf(id)
  return wrong === undefined ? [] : [wrong]
}

/** The dependencies of a plan. */
interface PlanDependencies {
  readonly ids: IdGenerator["Service"]
  readonly entropy: Entropy["Service"]
  /** Whether a password hash was made by this service, with its current settings. */
  readonly isOwnHash: (hash: string) => boolean
}

/** Decides what a batch of rows writes. Each row is accepted or rejected as a whole. If rows conflict, the earlier one wins. */
export const makePlan = ({ ids, entropy, isOwnHash }: PlanDependencies) =>
  Effect.fnUntraced(function* (rows: ReadonlyArray<DraftedRow>, found: StoredData, realm: Realm, now: DateTime.Utc) {
    const matchesOf = matcher(realm, found.users)
    const orgs = makeBatchOrgs(realm, ids, now, found.orgs, found.keptIds)
    const holders = new Holders(found.taken, found.earlier)
    const plan: BatchPlan = {
      rejectedRows: [],
      unchanged: 0,
      keepsIds: false,
      newUsers: [],
      changedUsers: [],
      newOrgs: orgs.created,
      newCredentials: [],
      replacedPasswords: [],
      newMemberships: [],
      changedMemberships: [],
      expired: [],
      holders
    }

    const addCredentials = Effect.fnUntraced(function* (userId: UserId, drafts: ReadonlyArray<DraftedCredential>) {
      for (const draft of drafts) {
        plan.newCredentials.push({ ...draft, id: yield* ids.make("credential"), realmId: realm.id, userId })
      }
    })

    const addMembership = Effect.fnUntraced(function* (userId: UserId, draft: DraftedMembership) {
      const org = yield* orgs.findOrCreate(draft.org)
      plan.newMemberships.push({
        id: yield* ids.make("membership"),
        realmId: realm.id,
        userId,
        orgId: org?.id ?? null,
        permissions: draft.permissions ?? [],
        custom: draft.custom ?? {},
        createdAt: draft.createdAt,
        expiresAt: draft.expiresAt ?? null
      })
    })

    const newUser = Effect.fnUntraced(function* (row: DraftedRow) {
      const { userType, attributes } = row
      const generated = userType === "api" ? `api_${randomSecret(entropy, 9).toLowerCase()}` : null
      const { email = null, firstName = null, lastName = null } = attributes
      const names = { email, firstName, lastName, username: attributes.username ?? generated }
      const user: User = {
        id: row.id ?? (yield* ids.make("user")),
        realmId: realm.id,
        userType,
        state: "active",
        emailPending: null,
        emailVerification: "none",
        provedEmail: provedEmailAfter({ ...attributes, email }, null),
        locale: null,
        custom: {},
        ...attributes,
        ...names,
        name: attributes.name ?? (userType === "api" ? (names.username ?? "") : displayName(names)),
        reference: row.reference,
        createdAt: row.createdAt,
        lastLoginAt: row.lastLoginAt,
        deletionAt: null
      }
      return user
    })

    const create = Effect.fnUntraced(function* (row: DraftedRow, claims: ReadonlyArray<Claim>) {
      const user = yield* newUser(row)
      plan.keepsIds ||= row.id !== undefined
      plan.newUsers.push(user)
      holders.add(claims, user.id)
      holders.addLine(user.id, row.line)
      yield* addCredentials(user.id, row.credentials)
      for (const draft of row.memberships) yield* addMembership(user.id, draft)
    })

    /** Returns the user's membership in the org of a row, even if it has expired. */
    const membershipOf = ({ memberships }: Pick<StoredUser, "memberships">, { org }: DraftedMembership) => {
      const id = org === null ? null : orgs.find(org)?.id
      return memberships.find(({ orgId }) => orgId === id)
    }

    const currentMembershipOf = (stored: StoredUser) => (draft: DraftedMembership) => {
      const held = membershipOf(stored, draft)
      return held === undefined || hasExpired(held, now) ? undefined : held
    }

    const update = Effect.fnUntraced(function* (row: DraftedRow, { user, ...stored }: StoredUser) {
      const change = profileChange(user, row)
      const { added, replaced: replacesPassword } = credentialChanges(stored.credentials, row.credentials, isOwnHash)
      let joined = 0
      for (const draft of row.memberships) {
        const held = membershipOf(stored, draft)
        const isHeld = held !== undefined && !hasExpired(held, now)
        const changed = isHeld ? membershipChange(held, draft) : undefined
        if (changed !== undefined) {
          plan.changedMemberships.push({ membership: changed, changed: changedMembers(held ?? changed, changed) })
        }
        if (!isHeld) yield* addMembership(user.id, draft)
        if (held !== undefined && !isHeld) plan.expired.push(held)
        if (!isHeld || changed !== undefined) joined += 1
      }
      const members = [
        ...added.map(({ credentialType }) => memberOfCredential(credentialType)),
        ...(replacesPassword.length > 0 ? ["password"] : [])
      ]
      holders.add([...nameClaims(change.after, realm.requireUniqueEmails), ...credentialClaims(added)], user.id)
      yield* addCredentials(user.id, added)
      plan.replacedPasswords.push(...replacesPassword)
      if (change.events.length > 0 || members.length > 0 || joined > 0) {
        plan.changedUsers.push({ change, credentials: members, replacesPassword: replacesPassword.length > 0 })
      } else plan.unchanged += 1
    })

    for (const row of rows) {
      const matches = matchesOf(row)
      const [match] = matches
      const problems: Array<Problem> = [...matchProblems(matches, row)]
      for (const [index, { org }] of row.memberships.entries()) {
        const wrong = orgs.problemOf(org)
        if (wrong !== undefined) problems.push(...atPath(`memberships[${index}]`, [wrong]))
      }
      const credentials =
        match === undefined ? undefined : credentialChanges(match.credentials, row.credentials, isOwnHash)
      if (row.id !== undefined) problems.push(...idProblems(row.id, match?.user.id, found.keptIds))
      const claims = [
        ...(row.id === undefined ? [] : [{ kind: "id" as const, value: row.id, field: "id" }]),
        ...nameClaims(writtenAttributes(row, match), realm.requireUniqueEmails),
        ...credentialClaims(row.credentials, credentials?.added)
      ]
      if (match !== undefined) problems.push(...customProblemsAfter(match, row, currentMembershipOf(match)))
      problems.push(...(credentials?.problems ?? []), ...holders.problems(claims, match?.user.id))
      if (problems.length > 0) plan.rejectedRows.push({ line: row.line, reference: row.reference, problems })
      else yield* match === undefined ? create(row, claims) : update(row, match)
    }
    return plan
  })

import { type DateTime, Effect, Result } from "effect"
import { type Custom, customProblems } from "#domain/Custom"
import { type Id, isId, type OrgId, type UserId } from "#domain/Ids"
import type { ImportedMembership, ImportedOrg, ImportRow } from "#domain/ImportRow"
import { permissionProblems } from "#domain/Permission"
import { CurrentRealm } from "#domain/Realm"
import { atPath, type Problem, problem } from "#domain/Rejected"
import { nonBlank } from "#domain/Text"
import type { UserAttributes, UserType } from "#domain/User"
import { parseUserInput, userRulesFor } from "#domain/UserInput"
import type { ApiKeyDigests } from "../tokens/ApiKeyDigests.ts"
import { type DraftedCredential, makeCredentialDrafts } from "./CredentialDrafts.ts"
import { idFormProblem, timeProblem, type Validation } from "./Validation.ts"

/** The org of a membership, as named in the row, or null for a membership without an org. */
export type OrgName =
  | { readonly by: "id"; readonly id: string }
  | { readonly by: "reference"; readonly reference: string; readonly id: OrgId | undefined; readonly org: ImportedOrg }
  | null

/** A valid membership in a row, before its org is looked up. */
export interface DraftedMembership {
  readonly org: OrgName
  readonly permissions: ReadonlyArray<string> | undefined
  /** The custom attributes to merge into those of an existing membership, or null to remove them all. */
  readonly custom: Custom | null | undefined
  readonly expiresAt: DateTime.Utc | null | undefined
  readonly createdAt: DateTime.Utc
}

/** A row that is valid by itself, before it is compared with stored data. */
export interface DraftedRow {
  readonly line: number
  /** The id that the user gets if it is created. */
  readonly id: UserId | undefined
  readonly reference: string
  readonly userType: UserType
  readonly attributes: UserAttributes
  /**
   * Whether the row removes all custom attributes of an existing user. Otherwise its custom attributes are merged into the
   * user's.
   */
  readonly clearsCustom: boolean
  readonly createdAt: DateTime.Utc
  readonly lastLoginAt: DateTime.Utc | null
  readonly credentials: ReadonlyArray<DraftedCredential>
  readonly memberships: ReadonlyArray<DraftedMembership>
}

/** A key that identifies an org within a row. */
export const orgKey = (org: OrgName): string =>
  org === null ? "" : org.by === "id" ? `id ${org.id}` : `reference ${org.reference}`

/** The id in a row, or undefined if there is none or it has the wrong form. */
const givenId = <K extends "user" | "org">(kind: K, given: string | null | undefined): Id<K> | undefined => {
  const id = nonBlank(given ?? null)
  return id !== null && isId(kind, id) ? id : undefined
}

const idProblems = (
  kind: "user" | "org",
  given: string | null | undefined,
  now: DateTime.Utc
): ReadonlyArray<Problem> => {
  const id = nonBlank(given ?? null)
  const wrong = id === null ? undefined : idFormProblem(kind, id, now)
  return wrong === undefined ? [] : [wrong]
}

const orgNameOf = ({ orgId, org }: ImportedMembership): OrgName | Problem => {
  const id = nonBlank(orgId ?? null)
  if (id !== null) return org === undefined || org === null ? { by: "id", id } : problem("org", "conflicting")
  if (org === undefined) return problem("org", "blank")
  if (org === null) return null
  const reference = nonBlank(org.reference)
  if (reference === null) return problem("org", "blank")
  return { by: "reference", reference, id: givenId("org", org.id), org }
}

const isProblem = (found: OrgName | Problem): found is Problem => found !== null && "code" in found

const orgProblems = (org: OrgName, now: DateTime.Utc): ReadonlyArray<Problem> => {
  if (org === null || org.by === "id") return []
  const { id, attributes, createdAt } = org.org
  return atPath("org", [
    ...idProblems("org", id, now),
    ...timeProblem("created_at", createdAt, now),
    ...customProblems(attributes.custom)
  ])
}

const membershipDraft = (
  sent: ImportedMembership,
  now: DateTime.Utc
): Result.Result<DraftedMembership, ReadonlyArray<Problem>> => {
  const org = orgNameOf(sent)
  if (isProblem(org)) return Result.fail([org])
  const problems = [...orgProblems(org, now), ...timeProblem("created_at", sent.createdAt, now)]
  problems.push(...permissionProblems(sent.permissions ?? []))
  problems.push(...customProblems(sent.custom ?? undefined))
  const { expiresAt } = sent
  if (expiresAt !== undefined && expiresAt !== null && expiresAt.epochMilliseconds <= now.epochMilliseconds) {
    problems.push(problem("expires_at", "in_past"))
  }
  if (problems.length > 0) return Result.fail(problems)
  return Result.succeed({
    org,
    permissions: sent.permissions,
    custom: sent.custom,
    expiresAt,
    createdAt: sent.createdAt ?? now
  })
}

const membershipDrafts = (sent: ReadonlyArray<ImportedMembership>, now: DateTime.Utc) => {
  const [drafts, problems]: [Array<DraftedMembership>, Array<Problem>] = [[], []]
  for (const [index, one] of sent.entries()) {
    const drafted = membershipDraft(one, now)
    if (Result.isSuccess(drafted)) drafts.push(drafted.success)
    else problems.push(...atPath(`memberships[${index}]`, drafted.failure))
  }
  if (new Set(drafts.map(({ org }) => orgKey(org))).size < drafts.length) {
    problems.push(problem("memberships", "repeated_org"))
  }
  return { drafts, problems }
}

/** Validates each row by itself, with the rules for creating and updating a single user. */
export const makeRowDrafts = (digests: ApiKeyDigests["Service"]) => {
  const credentialDrafts = makeCredentialDrafts(digests)

  return Effect.fnUntraced(function* (row: ImportRow, rules: Validation) {
    const { now } = rules
    const realm = yield* CurrentRealm
    const { userType } = row
    const reference = nonBlank(row.reference)
    const parsed = parseUserInput(row.attributes, userRulesFor(realm, userType, false))
    const problems: Array<Problem> = [
      ...idProblems("user", row.id, now),
      ...(reference === null ? [problem("reference", "blank")] : []),
      ...parsed.problems,
      ...timeProblem("created_at", row.createdAt, now),
      ...timeProblem("last_login_at", row.lastLoginAt, now)
    ]
    const credentials = yield* credentialDrafts(row.credentials ?? [], userType, rules)
    if (Result.isFailure(credentials)) problems.push(...credentials.failure)
    const memberships = membershipDrafts(row.memberships ?? [], now)
    problems.push(...memberships.problems)
    if (reference === null || Result.isFailure(credentials) || problems.length > 0) {
      return Result.fail<ReadonlyArray<Problem>>(problems)
    }
    return Result.succeed<DraftedRow>({
      line: row.line,
      id: givenId("user", row.id),
      reference,
      userType,
      attributes: parsed.attributes,
      clearsCustom: row.clearsCustom,
      createdAt: row.createdAt ?? now,
      lastLoginAt: row.lastLoginAt ?? null,
      credentials: credentials.success,
      memberships: memberships.drafts
    })
  })
}

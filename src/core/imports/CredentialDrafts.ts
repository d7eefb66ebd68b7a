import { Effect, Result } from "effect"
import type { AuthProvider } from "#domain/AuthProvider"
import {
  type CredentialDetails,
  customKeyProblems,
  isSocial,
  MAX_CREDENTIALS_PER_TYPE,
  ownerTypeOf
} from "#domain/Credential"
import type { ImportedCredential } from "#domain/ImportRow"
import { checkImportedHash } from "#domain/PasswordHash"
import { CurrentRealm } from "#domain/Realm"
import { atPath, type Problem, problem } from "#domain/Rejected"
import { nonBlank } from "#domain/Text"
import type { UserType } from "#domain/User"
import type { NewCredential } from "#store/users/CredentialsRepo"
import type { ApiKeyDigests } from "../tokens/ApiKeyDigests.ts"
import { parseTotpSecret } from "../tokens/Totp.ts"
import { timeProblem, type Validation } from "./Validation.ts"

/** A valid credential from a row. Its user may not exist yet. */
export type DraftedCredential = Omit<NewCredential, "id" | "realmId" | "userId">

const withProblems = (problems: ReadonlyArray<Problem>) => Result.fail(problems)

type Drafted = Result.Result<DraftedCredential, ReadonlyArray<Problem>>

const provider = (
  { credentialType, authProviderId, authProviderName }: ImportedCredential,
  providers: ReadonlyArray<AuthProvider>
): AuthProvider | Problem => {
  const id = nonBlank(authProviderId ?? null)
  const name = nonBlank(authProviderName ?? null)
  const found = providers.filter(
    (one) =>
      one.providerType === credentialType &&
      (id === null || one.id === id) &&
      (id !== null || name === null || ("name" in one && one.name === name))
  )
  const field = id === null && name !== null ? "auth_provider_name" : "auth_provider_id"
  const [only, ...others] = found
  if (only === undefined) return problem(field, "unknown")
  return others.length === 0 ? only : problem(field, name === null ? "blank" : "ambiguous")
}

const isProblem = (found: AuthProvider | Problem): found is Problem => "code" in found

const wrongOwnerCodes = { api: "for_api_users", human: "for_humans" } as const

/** Validates the credentials of rows, with the same rules as for a single user (C22). */
export const makeCredentialDrafts = (digests: ApiKeyDigests["Service"]) => {
  const base = (sent: ImportedCredential, { now }: Validation): DraftedCredential => ({
    credentialType: sent.credentialType,
    createdAt: sent.createdAt ?? now,
    name: null,
    state: null,
    authProviderId: null,
    secret: null,
    providerUserId: null,
    tokenExpiresAt: null,
    codesLeft: null,
    passwordHash: null,
    keyDigest: null,
    lockedAt: null
  })

  const password = (sent: ImportedCredential, rules: Validation): Drafted => {
    const passwordHash = nonBlank(sent.passwordHash ?? null)
    if (passwordHash === null) return withProblems([problem("password_hash", "blank")])
    const wrong = checkImportedHash(passwordHash)
    const problems = timeProblem("locked_at", sent.lockedAt, rules.now)
    if (wrong !== undefined) problems.push({ field: "password_hash", ...wrong })
    if (problems.length > 0) return withProblems(problems)
    return Result.succeed({ ...base(sent, rules), passwordHash, lockedAt: sent.lockedAt ?? null })
  }

  const totp = (sent: ImportedCredential, rules: Validation): Drafted => {
    const problems: Array<Problem> = []
    const [name, typed] = [nonBlank(sent.name ?? null), nonBlank(sent.otpSecret ?? null)]
    const secret = typed === null ? undefined : parseTotpSecret(typed)
    const owner = rules.providers.find(({ providerType }) => providerType === "totp")
    if (name === null) problems.push(problem("name", "blank"))
    if (secret === undefined) problems.push(problem("otp_secret", typed === null ? "blank" : "invalid"))
    if (owner === undefined) problems.push(problem("auth_provider_id", "unknown"))
    if (owner?.state === "inactive") problems.push(problem("credential_type", "provider_inactive"))
    if (owner === undefined || secret === undefined || problems.length > 0) return withProblems(problems)
    return Result.succeed({
      ...base(sent, rules),
      name,
      state: sent.state ?? "active",
      authProviderId: owner.id,
      secret
    })
  }

  const profile = (sent: ImportedCredential, rules: Validation): Drafted => {
    const providerUserId = nonBlank(sent.providerUserId ?? null)
    const found = provider(sent, rules.providers)
    const problems = providerUserId === null ? [problem("provider_user_id", "blank")] : []
    if (isProblem(found)) return withProblems([found, ...problems])
    if (problems.length > 0) return withProblems(problems)
    return Result.succeed({
      ...base(sent, rules),
      authProviderId: found.id,
      secret: nonBlank(sent.accessToken ?? null),
      providerUserId,
      tokenExpiresAt: sent.tokenExpiresAt ?? null
    })
  }

  const apiKey = Effect.fnUntraced(function* (sent: ImportedCredential, rules: Validation) {
    const realm = yield* CurrentRealm
    const key = nonBlank(sent.apiKey ?? null)
    if (key === null) return withProblems([problem("api_key", "blank")])
    const problems = customKeyProblems(key)
    if (problems.length > 0) return withProblems(problems)
    const keyDigest = yield* digests.digest(realm.id, key)
    return Result.succeed({
      ...base(sent, rules),
      secret: realm.apiKeyPolicy === "encrypt" ? key : null,
      keyDigest
    })
  })

  const draft = Effect.fnUntraced(function* (sent: ImportedCredential, userType: UserType, rules: Validation) {
    const { credentialType: type } = sent
    const ownerType = ownerTypeOf(type)
    if (userType !== ownerType) return withProblems([problem("credential_type", wrongOwnerCodes[ownerType], { type })])
    const problems = timeProblem("created_at", sent.createdAt, rules.now)
    if (problems.length > 0) return withProblems(problems)
    // Passkeys belong to a domain and a user's ID, and services don't export them (C135).
    if (type === "passkey") return withProblems([problem("credential_type", "passkey_ceremony")])
    if (type === "password") return password(sent, rules)
    if (type === "totp") return totp(sent, rules)
    return isSocial(type) ? profile(sent, rules) : yield* apiKey(sent, rules)
  })

  /** Returns the drafts, or all problems: those of each credential and those of their combination. */
  return Effect.fnUntraced(function* (sent: ReadonlyArray<ImportedCredential>, userType: UserType, rules: Validation) {
    const [drafts, problems]: [Array<DraftedCredential>, Array<Problem>] = [[], []]
    for (const [index, one] of sent.entries()) {
      const drafted = yield* draft(one, userType, rules)
      if (Result.isSuccess(drafted)) drafts.push(drafted.success)
      else problems.push(...atPath(`credentials[${index}]`, drafted.failure))
    }
    problems.push(...countProblems(drafts))
    return problems.length > 0 ? Result.fail<ReadonlyArray<Problem>>(problems) : Result.succeed(drafts)
  })
}

type Counted = Pick<CredentialDetails, "credentialType" | "authProviderId">

/** Returns the problems with the combination of credentials that a user would have (SEC-102). */
export const countProblems = (credentials: ReadonlyArray<Counted>): ReadonlyArray<Problem> => {
  const problems: Array<Problem> = []
  const counts = new Map<Counted["credentialType"], number>()
  for (const { credentialType } of credentials) counts.set(credentialType, (counts.get(credentialType) ?? 0) + 1)
  if ((counts.get("password") ?? 0) > 1) problems.push(problem("credentials", "one_password"))
  for (const [type, count] of counts) {
    if (count > MAX_CREDENTIALS_PER_TYPE)
      problems.push(problem("credentials", "too_many_credentials", { type, most: MAX_CREDENTIALS_PER_TYPE }))
  }
  const linked = credentials.flatMap(({ credentialType, authProviderId }) =>
    isSocial(credentialType) ? [authProviderId] : []
  )
  if (new Set(linked).size < linked.length) problems.push(problem("auth_provider_id", "already_linked"))
  return problems
}

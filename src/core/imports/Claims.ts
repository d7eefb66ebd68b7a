import { isSocial } from "#domain/Credential"
import { foldedEmail } from "#domain/Email"
import type { UserId } from "#domain/Ids"
import { type Problem, problem } from "#domain/Rejected"
import { canonical } from "#domain/Text"
import type { User } from "#domain/User"
import type { TakenValue, UniqueValues } from "#store/imports/ImportsRepo"
import type { DraftedCredential } from "./CredentialDrafts.ts"

/** A unique value claimed by a row. */
export interface Claim extends Pick<TakenValue, "kind" | "value"> {
  /** The member of the row that claims the value. */
  readonly field: string
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

/** The claims of an email and a username. `emails`: whether emails must be unique. */
export const nameClaims = (
  { email = null, username = null }: Partial<Pick<User, "email" | "username">>,
  emails: boolean
): ReadonlyArray<Claim> => [
  ...(email === null || !emails ? [] : [{ kind: "email" as const, value: foldedEmail(email), field: "email" }]),
  ...(username === null ? [] : [{ kind: "username" as const, value: canonical(username), field: "username" }])
]

/** The claims of a row's credentials or, if given, only of its added credentials. */
export const credentialClaims = (
  credentials: ReadonlyArray<DraftedCredential>,
  added: ReadonlyArray<DraftedCredential> = credentials
): ReadonlyArray<Claim> =>
  credentials.flatMap((one, index): ReadonlyArray<Claim> => {
    const { credentialType, authProviderId, providerUserId, keyDigest } = one
    if (!added.includes(one)) return []
    const path = `credentials[${index}]`
    if (keyDigest !== null) return [{ kind: "api_key", value: hex(keyDigest), field: `${path}.api_key` }]
    if (!isSocial(credentialType)) return []
    return [{ kind: "profile", value: `${authProviderId} ${providerUserId}`, field: `${path}.provider_user_id` }]
  })

/** The claimed values in the form of the database query. */
export const valuesOf = (names: ReadonlyArray<Claim>, credentials: ReadonlyArray<DraftedCredential>): UniqueValues => ({
  emails: names.flatMap(({ kind, value }) => (kind === "email" ? [value] : [])),
  usernameKeys: names.flatMap(({ kind, value }) => (kind === "username" ? [value] : [])),
  profiles: credentials.flatMap(({ credentialType, authProviderId, providerUserId }) =>
    isSocial(credentialType) && authProviderId !== null && providerUserId !== null
      ? [[authProviderId, providerUserId] as const]
      : []
  ),
  keyDigests: credentials.flatMap(({ keyDigest }) => (keyDigest === null ? [] : [hex(keyDigest)]))
})

/** Knows which user holds which unique value: the stored users, and users from earlier rows. */
export class Holders {
  readonly #holders = new Map<string, UserId>()
  /** The line of the row that created each user. */
  readonly #lines = new Map<UserId, number>()
  readonly #earlier: Holders | undefined

  /** `earlier`: knows the lines of earlier batches; in a dry run, also their values, which are not in the database. */
  constructor(taken: ReadonlyArray<TakenValue>, earlier?: Holders) {
    this.#earlier = earlier
    for (const { kind, value, userId } of taken) this.#holders.set(`${kind} ${value}`, userId)
  }

  /** A problem for each claim to a value held by another user. */
  problems(claims: ReadonlyArray<Claim>, own: UserId | undefined): ReadonlyArray<Problem> {
    return claims.flatMap(({ kind, value, field }) => {
      const holder = this.#holderOf(`${kind} ${value}`)
      return holder === undefined || holder === own ? [] : [problem(field, "taken", this.#whoIs(holder))]
    })
  }

  /** Identifies a user in a problem: by the line of this import that created it, or by id. */
  #whoIs(userId: UserId): { readonly line: number } | { readonly user_id: string } {
    const earlier = this.#earlier === undefined ? undefined : this.#earlier.#lines.get(userId)
    const line = this.#lines.get(userId) ?? earlier
    return line === undefined ? { user_id: userId } : { line }
  }

  #holderOf(key: string): UserId | undefined {
    const own = this.#holders.get(key)
    return own ?? (this.#earlier === undefined ? undefined : this.#earlier.#holderOf(key))
  }

  /** Adds all holders known to `others`. */
  merge(others: Holders): void {
    for (const [key, userId] of others.#holders) this.#holders.set(key, userId)
  }

  /** Adds the lines of created users known to `others`. */
  mergeLines(others: Holders): void {
    for (const [userId, line] of others.#lines) this.#lines.set(userId, line)
  }

  /** Stores the line of the row that created a user. */
  addLine(userId: UserId, line: number): void {
    this.#lines.set(userId, line)
  }

  /** Makes a user the holder of the claimed values. */
  add(claims: ReadonlyArray<Claim>, userId: UserId): void {
    for (const { kind, value } of claims) this.#holders.set(`${kind} ${value}`, userId)
  }
}

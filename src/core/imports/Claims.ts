import { isSocial } from "#domain/Credential"
import { foldedEmail } from "#domain/Email"
import type { UserId } from "#domain/Ids"
import { type Problem, problem } from "#domain/Rejected"
import { canonical } from "#domain/Text"
import type { User } from "#domain/User"
import type { TakenValue, UniqueValues } from "#store/imports/ImportsRepo"
import type { DraftedCredential } from "./CredentialDrafts.ts"

/** A unique value claimed by a row. */
export interface Claim {
  readonly kind: TakenValue["kind"] | "id"
  readonly value: string
  /** The member of the row that claims the value. */
  readonly field: string
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

/** The claims of an email and a username. `emails` is true if emails must be unique. */
export const nameClaims = (
  { email = null, username = null }: Partial<Pick<User, "email" | "username">>,
  emails: boolean
): ReadonlyArray<Claim> => [
  ...(email === null || !emails ? [] : [{ kind: "email" as const, value: foldedEmail(email), field: "email" }]),
  ...(username === null ? [] : [{ kind: "username" as const, value: canonical(username), field: "username" }])
]

/** The claims of a row's credentials. If `added` is given, only those credentials count. */
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

/** Groups the claimed values for the database query. */
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

/** Maps unique values to the users who have them: stored users, and users from earlier rows. */
export class Holders {
  readonly #holders = new Map<string, UserId>()
  /** The line of the row that created each user. */
  readonly #lines = new Map<UserId, number>()
  readonly #earlier: Holders | undefined

  /**
   * `earlier` contains the lines of earlier batches. In a dry run, it also contains their values, because the database
   * doesn't.
   */
  constructor(taken: ReadonlyArray<TakenValue>, earlier?: Holders) {
    this.#earlier = earlier
    for (const { kind, value, userId } of taken) this.#holders.set(`${kind} ${value}`, userId)
  }

  /** Returns a problem for each claim to a value that another user has. */
  problems(claims: ReadonlyArray<Claim>, own: UserId | undefined): ReadonlyArray<Problem> {
    return claims.flatMap(({ kind, value, field }) => {
      const holder = this.#holderOf(`${kind} ${value}`)
      return holder === undefined || holder === own ? [] : [problem(field, "taken", this.#whoIs(holder))]
    })
  }

  /** Identifies a user in a problem: by the import's line that created the user, or else by ID. */
  #whoIs(userId: UserId): { readonly line: number } | { readonly user_id: string } {
    const earlier = this.#earlier === undefined ? undefined : this.#earlier.#lines.get(userId)
    const line = this.#lines.get(userId) ?? earlier
    return line === undefined ? { user_id: userId } : { line }
  }

  #holderOf(key: string): UserId | undefined {
    const own = this.#holders.get(key)
    return own ?? (this.#earlier === undefined ? undefined : this.#earlier.#holderOf(key))
  }

  /** Adds all values and users of `others`. */
  merge(others: Holders): void {
    for (const [key, userId] of others.#holders) this.#holders.set(key, userId)
  }

  /** Adds the lines in `others`, without their values. */
  mergeLines(others: Holders): void {
    for (const [userId, line] of others.#lines) this.#lines.set(userId, line)
  }

  /** Stores the line of the row that created a user. */
  addLine(userId: UserId, line: number): void {
    this.#lines.set(userId, line)
  }

  /** Assigns the claimed values to a user. */
  add(claims: ReadonlyArray<Claim>, userId: UserId): void {
    for (const { kind, value } of claims) this.#holders.set(`${kind} ${value}`, userId)
  }
}

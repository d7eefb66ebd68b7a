import { isSocial } from "#domain/Credential"
import { foldedEmail } from "#domain/Email"
import type { UserId } from "#domain/Ids"
import { type Problem, problem } from "#domain/Rejected"
import { canonical } from "#domain/Text"
import type { User } from "#domain/User"
import type { TakenValue, UniqueValues } from "#store/imports/ImportsRepo"
import type { DraftedCredential } from "./CredentialDrafts.ts"

/** A value that only one user may have, as a row claims it. */
export interface Claim extends Pick<TakenValue, "kind" | "value"> {
  /** The member that claims the value. */
  readonly field: string
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

/** What a user's e-mail and username claim. `emails`: whether no two users may share an e-mail. */
export const nameClaims = (
  { email = null, username = null }: Partial<Pick<User, "email" | "username">>,
  emails: boolean
): ReadonlyArray<Claim> => [
  ...(email === null || !emails ? [] : [{ kind: "email" as const, value: foldedEmail(email), field: "email" }]),
  ...(username === null ? [] : [{ kind: "username" as const, value: canonical(username), field: "username" }])
]

/** What the credentials of a row claim, or only those of them that are added. */
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

/** The values of claims, as the database is asked for them. */
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

/** Who has which unique values: the users of the realm, and those whom earlier rows make. */
export class Holders {
  readonly #holders = new Map<string, UserId>()
  /** The lines of the rows by which users were created. */
  readonly #lines = new Map<UserId, number>()
  readonly #earlier: Holders | undefined

  /** `earlier`: of earlier batches, the lines; in a dry run also who has what, which is not in the database. */
  constructor(taken: ReadonlyArray<TakenValue>, earlier?: Holders) {
    this.#earlier = earlier
    for (const { kind, value, userId } of taken) this.#holders.set(`${kind} ${value}`, userId)
  }

  /** The problem of each claim to what another user has. */
  problems(claims: ReadonlyArray<Claim>, own: UserId | undefined): ReadonlyArray<Problem> {
    return claims.flatMap(({ kind, value, field }) => {
      const holder = this.#holderOf(`${kind} ${value}`)
      return holder === undefined || holder === own ? [] : [problem(field, "taken", this.#whoIs(holder))]
    })
  }

  /** How a problem names a user: by the line of this import that created it, or by ID. */
  #whoIs(userId: UserId): { readonly line: number } | { readonly user_id: string } {
    const earlier = this.#earlier === undefined ? undefined : this.#earlier.#lines.get(userId)
    const line = this.#lines.get(userId) ?? earlier
    return line === undefined ? { user_id: userId } : { line }
  }

  #holderOf(key: string): UserId | undefined {
    const own = this.#holders.get(key)
    return own ?? (this.#earlier === undefined ? undefined : this.#earlier.#holderOf(key))
  }

  /** Takes over who has what. */
  merge(others: Holders): void {
    for (const [key, userId] of others.#holders) this.#holders.set(key, userId)
  }

  /** Takes over the lines of created users. */
  mergeLines(others: Holders): void {
    for (const [userId, line] of others.#lines) this.#lines.set(userId, line)
  }

  /** Notes the line of the row that creates a user. */
  created(userId: UserId, line: number): void {
    this.#lines.set(userId, line)
  }

  /** Gives a user what it claims. */
  add(claims: ReadonlyArray<Claim>, userId: UserId): void {
    for (const { kind, value } of claims) this.#holders.set(`${kind} ${value}`, userId)
  }
}

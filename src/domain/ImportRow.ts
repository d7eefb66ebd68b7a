import { Data, type DateTime } from "effect"
import type { CredentialType } from "./Credential.ts"
import type { Custom } from "./Custom.ts"
import type { OrgAttributes } from "./Org.ts"
import type { Problem } from "./Rejected.ts"
import type { UserType } from "./User.ts"
import type { UserInput } from "./UserInput.ts"

/** How many rows an import may have. */
export const MAX_ROWS = 100_000

/** A credential of a row. Fields that its type does not use are ignored. */
export interface ImportedCredential {
  readonly credentialType: CredentialType
  readonly createdAt?: DateTime.Utc
  readonly passwordHash?: string | null
  /** Since when nobody logs in with the password, because another person has proved the user's e-mail. */
  readonly lockedAt?: DateTime.Utc | null
  readonly name?: string | null
  readonly otpSecret?: string | null
  readonly state?: "new" | "active"
  readonly authProviderId?: string | null
  /** The name of the provider, where a realm has several of its type. */
  readonly authProviderName?: string | null
  readonly providerUserId?: string | null
  readonly accessToken?: string | null
  readonly tokenExpiresAt?: DateTime.Utc | null
  readonly apiKey?: string | null
}

/** An org as a row describes it: found by its reference, or created with the rest. */
export interface ImportedOrg {
  readonly reference: string | null
  readonly attributes: OrgAttributes
  readonly createdAt?: DateTime.Utc
}

/** A membership of a row: in the org with an id, in the one described, or (null) in none. */
export interface ImportedMembership {
  readonly orgId?: string | null
  readonly org?: ImportedOrg | null
  readonly permissions?: ReadonlyArray<string>
  readonly custom?: Custom | null
  readonly createdAt?: DateTime.Utc
  readonly expiresAt?: DateTime.Utc | null
}

/** A row: one user. What is undefined was not given. */
export interface ImportedUser {
  readonly reference: string | null
  readonly userType: UserType
  readonly attributes: UserInput
  /** Whether `custom` is null, which takes all custom attributes from a user who is there. */
  readonly clearsCustom: boolean
  readonly createdAt?: DateTime.Utc
  readonly lastLoginAt?: DateTime.Utc | null
  readonly credentials?: ReadonlyArray<ImportedCredential>
  readonly memberships?: ReadonlyArray<ImportedMembership>
}

/** A row with the line that it stood on. */
export interface ImportRow extends ImportedUser {
  readonly line: number
}

/** A row that was not imported, and why. */
export interface RefusedRow {
  readonly line: number
  readonly reference: string | null
  readonly problems: ReadonlyArray<Problem>
}

/** What became of the rows of an import. */
export interface ImportTotals {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly refused: number
  readonly orgsCreated: number
}

/** How an import is to be done. `events`: whether events of users, orgs and memberships are recorded. */
export interface ImportOptions {
  readonly dryRun: boolean
  readonly events: boolean
}

/** Changes of others kept getting in the way of a batch, which was not written. */
export class ImportConflict extends Data.TaggedError("ImportConflict")<{}> {}

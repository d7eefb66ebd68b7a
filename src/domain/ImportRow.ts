import { Data, type DateTime } from "effect"
import type { CredentialType } from "./Credential.ts"
import type { Custom } from "./Custom.ts"
import type { OrgAttributes } from "./Org.ts"
import type { Problem } from "./Rejected.ts"
import type { UserType } from "./User.ts"
import type { UserInput } from "./UserInput.ts"

/** The maximum number of rows in an import. */
export const MAX_ROWS = 100_000

/** A credential of a row. Fields that its type does not use are ignored. */
export interface ImportedCredential {
  readonly credentialType: CredentialType
  readonly createdAt?: DateTime.Utc
  readonly passwordHash?: string | null
  /** When the password was locked because another person proved control of the user's email. */
  readonly lockedAt?: DateTime.Utc | null
  readonly name?: string | null
  readonly otpSecret?: string | null
  readonly state?: "new" | "active"
  readonly authProviderId?: string | null
  /** The name of the provider, if the realm has several of its type. */
  readonly authProviderName?: string | null
  readonly providerUserId?: string | null
  readonly accessToken?: string | null
  readonly tokenExpiresAt?: DateTime.Utc | null
  readonly apiKey?: string | null
}

/** An org described by a row: found by its reference, or created with the other fields. */
export interface ImportedOrg {
  readonly reference: string | null
  readonly attributes: OrgAttributes
  readonly createdAt?: DateTime.Utc
}

/** A membership in a row: in an org given by its id, in the org described, or (null) in no org. */
export interface ImportedMembership {
  readonly orgId?: string | null
  readonly org?: ImportedOrg | null
  readonly permissions?: ReadonlyArray<string>
  readonly custom?: Custom | null
  readonly createdAt?: DateTime.Utc
  readonly expiresAt?: DateTime.Utc | null
}

/** A row: one user. Undefined fields were not given. */
export interface ImportedUser {
  readonly reference: string | null
  readonly userType: UserType
  readonly attributes: UserInput
  /** Whether `custom` is null, which removes all custom attributes of an existing user. */
  readonly clearsCustom: boolean
  readonly createdAt?: DateTime.Utc
  readonly lastLoginAt?: DateTime.Utc | null
  readonly credentials?: ReadonlyArray<ImportedCredential>
  readonly memberships?: ReadonlyArray<ImportedMembership>
}

/** A row with its line number. */
export interface ImportRow extends ImportedUser {
  readonly line: number
}

/** A row that was rejected, with its problems. */
export interface RefusedRow {
  readonly line: number
  readonly reference: string | null
  readonly problems: ReadonlyArray<Problem>
}

/** The number of rows by outcome, and the number of new orgs. */
export interface ImportTotals {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly refused: number
  readonly orgsCreated: number
}

/** The options of an import. `events`: whether events of users, orgs and memberships are recorded. */
export interface ImportOptions {
  readonly dryRun: boolean
  readonly events: boolean
}

/** A batch was not written because concurrent changes repeatedly conflicted with it. */
export class ImportConflict extends Data.TaggedError("ImportConflict")<{}> {}

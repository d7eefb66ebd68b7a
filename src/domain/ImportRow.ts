import { Data, type DateTime } from "effect"
import type { CredentialType } from "./Credential.ts"
import type { Custom } from "./Custom.ts"
import type { OrgAttributes } from "./Org.ts"
import type { Problem } from "./Rejected.ts"
import type { UserType } from "./User.ts"
import type { UserInput } from "./UserInput.ts"

/** The maximum number of rows in an import. */
export const MAX_ROWS = 100_000

/** A credential in an import row. Fields that its type does not use are ignored. */
export interface ImportedCredential {
  readonly credentialType: CredentialType
  readonly createdAt?: DateTime.Utc
  readonly passwordHash?: string | null
  /** When the password was locked because somebody else proved control of the user's email. */
  readonly lockedAt?: DateTime.Utc | null
  readonly name?: string | null
  readonly otpSecret?: string | null
  readonly state?: "new" | "active"
  readonly authProviderId?: string | null
  /** The name of the provider, needed if the realm has several of its type. */
  readonly authProviderName?: string | null
  readonly providerUserId?: string | null
  readonly accessToken?: string | null
  readonly tokenExpiresAt?: DateTime.Utc | null
  readonly apiKey?: string | null
}

/** An org described in a row. It is found by its reference, or created from the other fields. */
export interface ImportedOrg {
  /** The id that the org gets if it is created. */
  readonly id?: string | null
  readonly reference: string | null
  readonly attributes: OrgAttributes
  readonly createdAt?: DateTime.Utc
}

/** A membership in a row: in the org with the given id, in the org the row describes, or (null) in no org. */
export interface ImportedMembership {
  readonly orgId?: string | null
  readonly org?: ImportedOrg | null
  readonly permissions?: ReadonlyArray<string>
  readonly custom?: Custom | null
  readonly createdAt?: DateTime.Utc
  readonly expiresAt?: DateTime.Utc | null
}

/** An import row, which describes one user. Fields that were not given are undefined. */
export interface ImportedUser {
  /** The id that the user gets if it is created. */
  readonly id?: string | null
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

/**
 * The options of an import. `events` is whether to record events for users, orgs and memberships, `keepsIds` whether new users
 * and orgs may have the ids in their rows.
 */
export interface ImportOptions {
  readonly keepsIds: boolean
  readonly dryRun: boolean
  readonly events: boolean
}

/** A batch was not written because concurrent changes repeatedly conflicted with it. */
export class ImportConflict extends Data.TaggedError("ImportConflict")<{}> {}

import type { Realm } from "./Access.ts"
import type { UserRow } from "./Database.ts"
import type { NewUser } from "./NewUser.ts"

/** A user with the columns that only the response to a single user contains. */
export interface DetailsRow extends UserRow {
  readonly membership_count: number
  readonly credentials: ReadonlyArray<readonly [id: string, credentialType: string]>
}

const timeT = (at: Date): number => at.getTime() / 1_000

/** The members of a user that every response contains. */
export const userMembers = (row: UserRow) => ({
  id: row.id,
  object: "user",
  state: row.state,
  realm_id: row.realm_id,
  created_at: timeT(row.created_at),
  last_login_at: row.last_login_at === null ? null : timeT(row.last_login_at),
  email: row.email,
  email_pending: row.email_pending,
  email_verification: row.email_verification,
  first_name: row.first_name,
  last_name: row.last_name,
  name: row.name,
  username: row.username,
  locale: row.locale,
  reference: row.reference
})

/** The response to a single user. */
export const detailsBody = (row: DetailsRow) => ({
  ...userMembers(row),
  custom: row.custom,
  credentials: row.credentials.map(([id, credentialType]) => ({
    id,
    object: "credential",
    credential_type: credentialType
  })),
  membership_count: row.membership_count
})

/** The credentials of a user with a password or without credentials. */
export const credentialsOf = (id: string | null): ReadonlyArray<readonly [string, string]> =>
  id === null ? [] : [[id, "password"]]

/** Returns the row of a newly created user, as a read would return it. */
export const newUserRow = (
  realm: Realm,
  user: NewUser,
  { id, credentialId, now }: { readonly id: string; readonly credentialId: string | null; readonly now: Date }
): DetailsRow => ({
  id,
  realm_id: realm.id,
  state: "active",
  email: user.email,
  email_pending: null,
  email_verification: "none",
  username: user.username,
  first_name: user.firstName,
  last_name: user.lastName,
  name: user.name,
  locale: user.locale,
  reference: user.reference,
  custom: {},
  created_at: now,
  last_login_at: null,
  membership_count: 0,
  credentials: credentialsOf(credentialId)
})

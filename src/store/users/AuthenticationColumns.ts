import type { Authentication, AuthenticationMethod } from "#domain/Authentication"
import { utc } from "../statements/Rows.ts"

/** The columns that store how a user logged in, in rows of sessions and browser sessions. */
export interface AuthenticationColumns {
  readonly auth_methods: ReadonlyArray<AuthenticationMethod>
  readonly authenticated_at: Date | null
}

export const authenticationFromRow = (row: AuthenticationColumns): Authentication | null =>
  row.authenticated_at === null ? null : { at: utc(row.authenticated_at), methods: row.auth_methods }

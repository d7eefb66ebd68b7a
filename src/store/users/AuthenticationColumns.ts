import type { Authentication, AuthenticationMethod } from "#domain/Authentication"
import { utc } from "../statements/Rows.ts"

/** The columns of sessions and browser sessions that store how the user logged in. */
export interface AuthenticationColumns {
  readonly auth_methods: ReadonlyArray<AuthenticationMethod>
  readonly authenticated_at: Date | null
}

export const authenticationFromRow = (row: AuthenticationColumns): Authentication | null =>
  row.authenticated_at === null ? null : { at: utc(row.authenticated_at), methods: row.auth_methods }

import type { Credential } from "./Credential.ts"
import type { User } from "./User.ts"

/** A user as a single read shows it: with the credentials it logs in by, and how many memberships it has. */
export interface UserDetails {
  readonly user: User
  readonly credentials: ReadonlyArray<Credential>
  readonly membershipCount: number
}

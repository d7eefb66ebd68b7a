import type { Credential } from "./Credential.ts"
import type { User } from "./User.ts"

/** A user with their credentials and number of memberships, as returned by a single read. */
export interface UserDetails {
  readonly user: User
  readonly credentials: ReadonlyArray<Credential>
  readonly membershipCount: number
}

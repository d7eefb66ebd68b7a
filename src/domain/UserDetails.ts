import type { Credential } from "./Credential.ts"
import type { User } from "./User.ts"

/** A user with credentials and the number of memberships, as a single read returns it. */
export interface UserDetails {
  readonly user: User
  readonly credentials: ReadonlyArray<Credential>
  readonly membershipCount: number
}

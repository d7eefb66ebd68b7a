import { isSameEmail } from "./Email.ts"
import type { User, UserAttributes } from "./User.ts"

/** Whether someone proved that a user's current email is theirs. A proof covers one address only. */
export const isEmailProved = ({ email, provedEmail }: Pick<User, "email" | "provedEmail">): boolean =>
  email !== null && isSameEmail(email, provedEmail)

/**
 * Whether a user's current email is verified (C261): it was proved, and no further proof has been requested since. The member
 * `email_verification` alone does not show this, because a new address leaves it unchanged (`v2.email`).
 */
export const isEmailVerified = (user: Pick<User, "email" | "provedEmail" | "emailVerification">): boolean =>
  user.emailVerification === "verified" && isEmailProved(user)

/** A user's proved address after these attributes are set. `before`: the address proved so far. */
export const provedEmailAfter = (
  { email, emailVerification }: Pick<User, "email"> & Pick<UserAttributes, "emailVerification">,
  before: string | null
): string | null => (emailVerification === "verified" ? email : before)

/** The user, with the current email marked as proved. */
export const withProvedEmail = (user: User): User => ({
  ...user,
  emailVerification: "verified",
  provedEmail: user.email
})

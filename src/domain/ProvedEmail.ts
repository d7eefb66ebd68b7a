import { isSameEmail } from "./Email.ts"
import type { User, UserAttributes } from "./User.ts"

/** Returns whether a user proved that their current email belongs to them. A proof is for one address only. */
export const isEmailProved = ({ email, provedEmail }: Pick<User, "email" | "provedEmail">): boolean =>
  email !== null && isSameEmail(email, provedEmail)

/**
 * Returns whether a user's current email is verified (C261): it was proved, and no new verification has been requested
 * since. The member `email_verification` alone is not enough, because it stays unchanged when the address changes
 * (`v2.email`).
 */
export const isEmailVerified = (user: Pick<User, "email" | "provedEmail" | "emailVerification">): boolean =>
  user.emailVerification === "verified" && isEmailProved(user)

/** The proved address of a user after an update. `before` is the address proved so far. */
export const provedEmailAfter = (
  { email, emailVerification }: Pick<User, "email"> & Pick<UserAttributes, "emailVerification">,
  before: string | null
): string | null => (emailVerification === "verified" ? email : before)

/** Marks a user's current email as proved. */
export const withProvedEmail = (user: User): User => ({
  ...user,
  emailVerification: "verified",
  provedEmail: user.email
})

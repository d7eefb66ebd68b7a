import { isSameEmail } from "./Email.ts"
import type { User, UserAttributes } from "./User.ts"

/** Whether somebody proved that a user's present email is theirs. A proof is for one address and says nothing of another. */
export const isEmailProved = ({ email, provedEmail }: Pick<User, "email" | "provedEmail">): boolean =>
  email !== null && isSameEmail(email, provedEmail)

/**
 * Whether a user's present email is verified (C261): it was proved, and nobody has asked for another proof since. The member
 * `email_verification` alone does not tell, since a new address leaves it as it was (`v2.email`).
 */
export const isEmailVerified = (user: Pick<User, "email" | "provedEmail" | "emailVerification">): boolean =>
  user.emailVerification === "verified" && isEmailProved(user)

/** The address that a user has proved, after somebody sets these members; `before`: the one that was proved until then. */
export const provedEmailAfter = (
  { email, emailVerification }: Pick<User, "email"> & Pick<UserAttributes, "emailVerification">,
  before: string | null
): string | null => (emailVerification === "verified" ? email : before)

/** The user, whose present email is proved by now. */
export const withProvedEmail = (user: User): User => ({
  ...user,
  emailVerification: "verified",
  provedEmail: user.email
})

import type { Custom } from "./Custom.ts"
import { customProblem } from "./Custom.ts"
import { canonicalEmail } from "./Email.ts"
import { type Problem, problem } from "./Rejected.ts"
import { canonical, isWithin, presence, TEXT_LENGTH } from "./Text.ts"
import type { EmailVerification, User, UserAttributes } from "./User.ts"

/** The attributes of a user as a caller typed them. */
export interface UserInput {
  readonly state?: User["state"]
  readonly email?: string | null
  readonly emailPending?: string | null
  readonly emailVerification?: EmailVerification
  readonly username?: string | null
  readonly firstName?: string | null
  readonly lastName?: string | null
  readonly locale?: string | null
  readonly reference?: string | null
  readonly custom?: Custom
}

/** Attributes in canonical form, or everything that is wrong with them. */
export interface Accepted<A> {
  readonly attributes: A
  readonly problems: ReadonlyArray<Problem>
}

const emailOf = (field: string, typed: string | null, problems: Array<Problem>): string | null => {
  if (presence(typed) === null) return null
  const email = canonicalEmail(typed ?? "")
  if (email === undefined) problems.push(problem(field, "email_form"))
  return email ?? null
}

/** What was typed, in canonical form (decision 21): blank text is none, e-mails are lower case, usernames are trimmed. */
export const acceptUser = (input: UserInput): Accepted<UserAttributes> => {
  const problems: Array<Problem> = []
  const { email, emailPending, username, firstName, lastName, locale, reference, ...rest } = input
  const blank = <Key extends string>(key: Key, text: string | null | undefined) =>
    text === undefined ? {} : ({ [key]: presence(text)?.trim() ?? null } as { readonly [K in Key]: string | null })

  const accepted = email === undefined ? undefined : emailOf("email", email, problems)
  if (accepted === null && problems.length === 0) problems.push(problem("email", "blank"))
  const pending = emailPending === undefined ? {} : { emailPending: emailOf("email_pending", emailPending, problems) }
  if (username !== undefined && username !== null && presence(username) !== null) {
    const key = canonical(username)
    if (/\p{C}/u.test(key)) problems.push(problem("username", "username_form"))
    if (!isWithin(TEXT_LENGTH, key)) problems.push(problem("username", "too_long", { maximum: TEXT_LENGTH }))
  }
  const wrongCustom = input.custom === undefined ? undefined : customProblem(input.custom)
  if (wrongCustom !== undefined) problems.push(problem("custom", wrongCustom))

  return {
    problems,
    attributes: {
      ...rest,
      ...(typeof accepted === "string" ? { email: accepted } : {}),
      ...pending,
      ...blank("username", username),
      ...blank("firstName", firstName),
      ...blank("lastName", lastName),
      ...blank("locale", locale),
      ...(reference === undefined ? {} : { reference: presence(reference) })
    }
  }
}

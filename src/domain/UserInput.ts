import type { Custom } from "./Custom.ts"
import { customProblem } from "./Custom.ts"
import { canonicalEmail } from "./Email.ts"
import type { RealmSettings } from "./Realm.ts"
import { type Problem, problem } from "./Rejected.ts"
import { canonical, isWithin, presence, TEXT_LENGTH } from "./Text.ts"
import { type EmailVerification, haveUsernames, type User, type UserAttributes, type UserType } from "./User.ts"

/** The attributes of a user as a caller typed them. */
export interface UserInput {
  readonly state?: User["state"]
  readonly email?: string | null
  readonly emailPending?: string | null
  readonly emailVerification?: EmailVerification
  readonly username?: string | null
  readonly name?: string | null
  readonly firstName?: string | null
  readonly lastName?: string | null
  readonly locale?: string | null
  readonly reference?: string | null
  readonly custom?: Custom
}

/** The rules for the attributes of a user: those of its type, in its realm. */
export interface UserRules {
  readonly userType: UserType
  /** `kept`: a blank one changes nothing, since there always is one. `left_out`: whatever is given changes nothing. */
  readonly username: "optional" | "required" | "kept" | "left_out"
}

/** The rules for a user in a realm; `usernameRequired`: of humans, where they have one. */
export const rulesFor = (
  realm: Pick<RealmSettings, "usernameValidationHuman">,
  userType: UserType,
  usernameRequired: boolean
): UserRules => {
  if (userType === "api") return { userType, username: "kept" }
  if (!haveUsernames(realm, userType)) return { userType, username: "left_out" }
  return { userType, username: usernameRequired ? "required" : "optional" }
}

/** Attributes in canonical form, or everything that is wrong with them. */
export interface Accepted<A> {
  readonly attributes: A
  readonly problems: ReadonlyArray<Problem>
}

type Typed = string | null | undefined

const emailOf = (field: string, typed: string | null, problems: Array<Problem>): string | null => {
  if (presence(typed) === null) return null
  const email = canonicalEmail(typed ?? "")
  if (email === undefined) problems.push(problem(field, "email_form"))
  return email ?? null
}

const emailGiven = (email: Typed, required: boolean, problems: Array<Problem>): UserAttributes => {
  if (email === undefined) return {}
  if (required && presence(email) === null) {
    problems.push(problem("email", "blank"))
    return {}
  }
  return { email: emailOf("email", email, problems) }
}

const usernameGiven = (username: Typed, rule: UserRules["username"], problems: Array<Problem>): UserAttributes => {
  if (username === undefined || rule === "left_out") return {}
  const typed = presence(username)?.trim() ?? null
  if (typed === null) {
    if (rule === "required") problems.push(problem("username", "blank"))
    return rule === "optional" ? { username: null } : {}
  }
  const key = canonical(typed)
  if (/\p{C}/u.test(key)) problems.push(problem("username", "username_form"))
  if (!isWithin(TEXT_LENGTH, key)) problems.push(problem("username", "too_long", { maximum: TEXT_LENGTH }))
  return { username: typed }
}

const texts = <Key extends string>(given: { readonly [K in Key]: Typed }): { readonly [K in Key]?: string | null } => {
  const kept: { [K in Key]?: string | null } = {}
  for (const key in given) {
    const text = given[key]
    if (text !== undefined) kept[key] = presence(text)?.trim() ?? null
  }
  return kept
}

/**
 * What was typed, in canonical form (decision 21): blank text is none, e-mails are lower case, usernames are trimmed. What
 * users of the type do not have is left out.
 */
export const acceptUser = (
  input: UserInput,
  { userType, username }: UserRules = { userType: "human", username: "optional" }
): Accepted<UserAttributes> => {
  const problems: Array<Problem> = []
  const isHuman = userType === "human"
  const { state, emailVerification, reference, custom } = input
  const email = emailGiven(input.email, isHuman, problems)
  const pending =
    isHuman && input.emailPending !== undefined
      ? { emailPending: emailOf("email_pending", input.emailPending, problems) }
      : {}
  const named = usernameGiven(input.username, username, problems)
  const wrongCustom = custom === undefined ? undefined : customProblem(custom)
  if (wrongCustom !== undefined) problems.push(problem("custom", wrongCustom))
  const own = isHuman
    ? texts({ firstName: input.firstName, lastName: input.lastName, locale: input.locale })
    : texts({ name: input.name })

  return {
    problems,
    attributes: {
      ...(state === undefined ? {} : { state }),
      ...email,
      ...pending,
      ...(isHuman && emailVerification !== undefined ? { emailVerification } : {}),
      ...named,
      ...own,
      ...(reference === undefined ? {} : { reference: presence(reference) }),
      ...(custom === undefined ? {} : { custom })
    }
  }
}

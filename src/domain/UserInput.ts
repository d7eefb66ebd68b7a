import type { Custom } from "./Custom.ts"
import { customProblems } from "./Custom.ts"
import { canonicalEmail } from "./Email.ts"
import type { RealmSettings } from "./Realm.ts"
import { type Problem, problem } from "./Rejected.ts"
import { canonical, isWithin, nonBlank, TEXT_LENGTH } from "./Text.ts"
import { type EmailVerification, type User, type UserAttributes, type UserType, usesUsernames } from "./User.ts"

/** The attributes of a user as sent by a caller, before validation. */
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

/** The rules for a user's attributes, by user type and realm. */
export interface UserRules {
  readonly userType: UserType
  /** With `kept`, a blank username leaves the current one unchanged. With `left_out`, the input is ignored. */
  readonly username: "optional" | "required" | "kept" | "left_out"
}

/** The rules for a user of this type in a realm. `usernameRequired` applies to humans in realms with usernames. */
export const userRulesFor = (
  realm: Pick<RealmSettings, "usernameValidationHuman">,
  userType: UserType,
  usernameRequired: boolean
): UserRules => {
  if (userType === "api") return { userType, username: "kept" }
  if (!usesUsernames(realm, userType)) return { userType, username: "left_out" }
  return { userType, username: usernameRequired ? "required" : "optional" }
}

/** Attributes in canonical form, together with every broken rule. */
export interface ParsedInput<A> {
  readonly attributes: A
  readonly problems: ReadonlyArray<Problem>
}

type TextInput = string | null | undefined

const parseEmail = (field: string, typed: string | null, problems: Array<Problem>): string | null => {
  if (nonBlank(typed) === null) return null
  const email = canonicalEmail(typed ?? "")
  if (email === undefined) problems.push(problem(field, "email_form"))
  return email ?? null
}

const parseRequiredEmail = (email: TextInput, required: boolean, problems: Array<Problem>): UserAttributes => {
  if (email === undefined) return {}
  if (required && nonBlank(email) === null) {
    problems.push(problem("email", "blank"))
    return {}
  }
  return { email: parseEmail("email", email, problems) }
}

const parseUsername = (username: TextInput, rule: UserRules["username"], problems: Array<Problem>): UserAttributes => {
  if (username === undefined || rule === "left_out") return {}
  const typed = nonBlank(username)?.trim() ?? null
  if (typed === null) {
    if (rule === "required") problems.push(problem("username", "blank"))
    return rule === "optional" ? { username: null } : {}
  }
  const key = canonical(typed)
  if (/\p{C}/u.test(key)) problems.push(problem("username", "username_form"))
  if (!isWithin(TEXT_LENGTH, key)) problems.push(problem("username", "too_long", { maximum: TEXT_LENGTH }))
  return { username: typed }
}

const parseTexts = <Key extends string>(
  input: { readonly [K in Key]: TextInput }
): { readonly [K in Key]?: string | null } => {
  const parsed: { [K in Key]?: string | null } = {}
  for (const key in input) {
    const text = input[key]
    if (text !== undefined) parsed[key] = nonBlank(text)?.trim() ?? null
  }
  return parsed
}

/**
 * Parses attributes to canonical form (C21): blank text becomes null, emails become lower case, and usernames are trimmed.
 * Attributes that the user type does not have are dropped.
 */
export const parseUserInput = (
  input: UserInput,
  { userType, username }: UserRules = { userType: "human", username: "optional" }
): ParsedInput<UserAttributes> => {
  const problems: Array<Problem> = []
  const isHuman = userType === "human"
  const { state, emailVerification, reference, custom } = input
  const email = parseRequiredEmail(input.email, isHuman, problems)
  const pending =
    isHuman && input.emailPending !== undefined
      ? { emailPending: parseEmail("email_pending", input.emailPending, problems) }
      : {}
  const usernameAttributes = parseUsername(input.username, username, problems)
  problems.push(...customProblems(custom))
  const own = isHuman
    ? parseTexts({ firstName: input.firstName, lastName: input.lastName, locale: input.locale })
    : parseTexts({ name: input.name })

  return {
    problems,
    attributes: {
      ...(state === undefined ? {} : { state }),
      ...email,
      ...pending,
      ...(isHuman && emailVerification !== undefined ? { emailVerification } : {}),
      ...usernameAttributes,
      ...own,
      ...(reference === undefined ? {} : { reference: nonBlank(reference) }),
      ...(custom === undefined ? {} : { custom })
    }
  }
}

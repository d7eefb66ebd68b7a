import { Data } from "effect"
import type { ConnectedApp } from "./ConnectedApp.ts"
import { isSameEmail } from "./Email.ts"
import type { Invitation } from "./Invitation.ts"
import type { Realm, SignupField } from "./Realm.ts"
import { type Problem, problem } from "./Rejected.ts"
import { canonical, isStorable, isWithin, presence, TEXT_LENGTH } from "./Text.ts"
import { usesUsernames } from "./User.ts"

/**
 * What a sign-up on an app's host does (C18, C40a, C41): create a user; a user and an org; or a token that the app
 * turns into a user; `preverify`: mail a link that verifies the e-mail first; `request`: ask for an invitation; or
 * nothing.
 */
export type SignupFlow = "user" | "user_org" | "user_token" | "preverify" | "request" | "none"

/**
 * Resolves the sign-up flow. The realm's `signup` restricts the app's mode. Apps that turn tokens into users verify
 * e-mails themselves.
 */
export const resolveSignupFlow = (
  realm: Pick<Realm, "signup" | "emailVerification">,
  app: Pick<ConnectedApp, "signupMode">
): SignupFlow => {
  if (realm.signup === "closed") return "none"
  if (realm.signup === "invitation") return "request"
  const { signupMode } = app
  const proves = realm.emailVerification === "preverify" && signupMode !== "none" && signupMode !== "user_token"
  return proves ? "preverify" : signupMode
}

/** The sign-up form. Undefined: the field was not submitted. */
export interface SignupForm {
  readonly username: string | undefined
  readonly email: string | undefined
  readonly emailConfirmation: string | undefined
  readonly password: string | undefined
  readonly passwordConfirmation: string | undefined
  readonly firstName: string | undefined
  readonly lastName: string | undefined
  readonly orgName: string | undefined
}

type AppRequirements = Pick<
  ConnectedApp,
  "requirePasswordConfirmation" | "requireNames" | "requireOrgName" | "signupMode"
>

const nameProblems = (field: string, text: string | undefined, required: boolean): ReadonlyArray<Problem> => {
  if (presence(text ?? null) === null) return required ? [problem(field, "blank")] : []
  if (!isStorable(text ?? "")) return [problem(field, "invalid")]
  return isWithin(TEXT_LENGTH, text ?? "") ? [] : [problem(field, "too_long", { maximum: TEXT_LENGTH })]
}

type FieldSettings = Pick<Realm, "signupFields" | "usernameValidationHuman">

/** Whether people who sign up choose a username: where users have them, unless the realm does without (C157). */
export const asksForUsername = (realm: FieldSettings): boolean =>
  usesUsernames(realm, "human") && realm.signupFields.includes("username")

type Asked = "none" | "optional" | "required"

/** What a form asks for besides e-mail, username and password. */
export interface ExtraFields {
  readonly names: Asked
  readonly org: Asked
}

const asked = ({ signupFields }: FieldSettings, field: SignupField, isRequired: boolean): Asked => {
  if (isRequired) return "required"
  return signupFields.includes(field) ? "optional" : "none"
}

/** The extra fields of everybody who signs up: what the realm lets apps ask for, and what an app requires (C41, C157). */
export const extraFieldsOf = (realm: FieldSettings, app: AppRequirements): ExtraFields => ({
  names: asked(realm, "names", app.requireNames),
  org: app.signupMode === "user_org" ? asked(realm, "org_name", app.requireOrgName) : "none"
})

/** The extra fields of an invitee on an app's host. Only people who signed up themselves (`preverify`) found an org. */
export const extraFieldsForInvitee = (
  realm: FieldSettings,
  app: AppRequirements | undefined,
  { invitationType }: Pick<Invitation, "invitationType">
): ExtraFields => {
  if (app === undefined) return { names: asked(realm, "names", false), org: "none" }
  const fields = extraFieldsOf(realm, app)
  return invitationType === "preverify" ? fields : { ...fields, org: "none" }
}

/** A form without what the sign-up does not ask for. Where it asks for no username, one counts as the e-mail if the form has none. */
export const askedIn = (realm: FieldSettings, { names, org }: ExtraFields, form: SignupForm): SignupForm => ({
  ...form,
  ...(asksForUsername(realm) ? {} : { username: undefined, email: form.email ?? form.username }),
  ...(names === "none" ? { firstName: undefined, lastName: undefined } : {}),
  ...(org === "none" ? { orgName: undefined } : {})
})

/** Validates the extra fields of a form. */
export const extraFieldProblems = (
  form: Pick<SignupForm, "firstName" | "lastName" | "orgName">,
  { names, org }: ExtraFields
): ReadonlyArray<Problem> => [
  ...(names === "none" ? [] : nameProblems("first_name", form.firstName, names === "required")),
  ...(names === "none" ? [] : nameProblems("last_name", form.lastName, names === "required")),
  ...(org === "none" ? [] : nameProblems("org_name", form.orgName, org === "required"))
]

/** Validates a sign-up form, apart from the rules for users: spaces in a username (C91), repeated inputs, and the app's extra fields. */
export const signupProblems = (form: SignupForm, app: AppRequirements, fields: ExtraFields): ReadonlyArray<Problem> => {
  const { email, emailConfirmation, password = "", passwordConfirmation: again } = form
  const problems: Array<Problem> = []
  if (/\s/u.test(form.username?.trim() ?? "")) problems.push(problem("username", "username_spaces"))
  if (emailConfirmation !== undefined && !isSameEmail(canonical(emailConfirmation), canonical(email ?? ""))) {
    problems.push(problem("email_confirmation", "unmatched_email"))
  }
  problems.push(...extraFieldProblems(form, fields))
  if (again === undefined && app.requirePasswordConfirmation) problems.push(problem("password_confirmation", "blank"))
  if (again !== undefined && again !== password) problems.push(problem("password_confirmation", "unmatched"))
  return problems
}

/** Sign-up is closed: people may ask for an invitation (`request`), or not even that (`none`). */
export class SignupClosed extends Data.TaggedError("SignupClosed")<{ readonly way: "request" | "none" }> {}

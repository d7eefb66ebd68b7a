import { Data } from "effect"
import type { ConnectedApp } from "./ConnectedApp.ts"
import { isSameEmail } from "./Email.ts"
import type { Invitation } from "./Invitation.ts"
import type { Realm, SignupField } from "./Realm.ts"
import { type Problem, problem } from "./Rejected.ts"
import { canonical, isStorable, isWithin, nonBlank, TEXT_LENGTH } from "./Text.ts"
import { usesUsernames } from "./User.ts"

/**
 * The effect of a signup on an app's host (C18, C40a, C41): creating a user, a user with an org, or a token that the app
 * turns into a user. `preverify` first emails a link to verify the address, `request` creates an invitation request, and
 * `none` means that signup is closed.
 */
export type SignupFlow = "user" | "user_org" | "user_token" | "preverify" | "request" | "none"

/**
 * Resolves the signup flow. The realm's `signup` setting can restrict the app's mode, but never opens the signup of an app
 * with the mode `none`. Apps with the mode `user_token` verify emails themselves.
 */
export const resolveSignupFlow = (
  realm: Pick<Realm, "signup" | "emailVerification">,
  app: Pick<ConnectedApp, "signupMode">
): SignupFlow => {
  const { signupMode } = app
  if (realm.signup === "closed" || signupMode === "none") return "none"
  if (realm.signup === "invitation") return "request"
  const verifiesEmailFirst = realm.emailVerification === "preverify" && signupMode !== "user_token"
  return verifiesEmailFirst ? "preverify" : signupMode
}

/** The submitted signup form. A field is undefined if it was not submitted. */
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
  if (nonBlank(text ?? null) === null) return required ? [problem(field, "blank")] : []
  if (!isStorable(text ?? "")) return [problem(field, "invalid")]
  return isWithin(TEXT_LENGTH, text ?? "") ? [] : [problem(field, "too_long", { maximum: TEXT_LENGTH })]
}

type FieldSettings = Pick<Realm, "signupFields" | "usernameValidationHuman">

/** Returns whether signups ask for a username. Users must have usernames, and the realm must ask for them (C157). */
export const asksForUsername = (realm: FieldSettings): boolean =>
  usesUsernames(realm, "human") && realm.signupFields.includes("username")

type FieldMode = "none" | "optional" | "required"

/** Whether a form asks for fields in addition to email, username and password. */
export interface ExtraFields {
  readonly names: FieldMode
  readonly org: FieldMode
}

const fieldMode = ({ signupFields }: FieldSettings, field: SignupField, isRequired: boolean): FieldMode => {
  if (isRequired) return "required"
  return signupFields.includes(field) ? "optional" : "none"
}

/** The extra fields of a signup: those that the realm allows, and those that the app requires (C41, C157). */
export const extraFieldsOf = (realm: FieldSettings, app: AppRequirements): ExtraFields => ({
  names: fieldMode(realm, "names", app.requireNames),
  org: app.signupMode === "user_org" ? fieldMode(realm, "org_name", app.requireOrgName) : "none"
})

/** The extra fields for an invitee on an app's host. Only people who signed up themselves (`preverify`) can create an org. */
export const extraFieldsForInvitee = (
  realm: FieldSettings,
  app: AppRequirements | undefined,
  { invitationType }: Pick<Invitation, "invitationType">
): ExtraFields => {
  if (app === undefined) return { names: fieldMode(realm, "names", false), org: "none" }
  const fields = extraFieldsOf(realm, app)
  return invitationType === "preverify" ? fields : { ...fields, org: "none" }
}

/**
 * Removes the fields that the signup does not ask for. If it does not ask for a username but one was submitted without an
 * email, it is used as the email.
 */
export const onlyAskedFields = (realm: FieldSettings, { names, org }: ExtraFields, form: SignupForm): SignupForm => ({
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

/**
 * Validates the rules that apply only to signup forms: no spaces in a username (C91), matching confirmations, and the app's
 * extra fields.
 */
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

/** Signup is closed. `way` shows whether people can still request an invitation. */
export class SignupClosed extends Data.TaggedError("SignupClosed")<{ readonly way: "request" | "none" }> {}

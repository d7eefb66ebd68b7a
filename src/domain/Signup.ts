import { Data } from "effect"
import type { ConnectedApp } from "./ConnectedApp.ts"
import type { Invitation } from "./Invitation.ts"
import type { Realm } from "./Realm.ts"
import { type Problem, problem } from "./Rejected.ts"
import { canonical, isStorable, isWithin, presence, TEXT_LENGTH } from "./Text.ts"

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

/** What a form asks for besides e-mail and password. */
export interface ExtraFields {
  readonly names: "optional" | "required"
  readonly org: "none" | "optional" | "required"
}

/** The extra fields an app asks everybody who signs up for (C41). */
export const extraFieldsOf = (app: AppRequirements): ExtraFields => {
  const org = app.requireOrgName ? "required" : "optional"
  return { names: app.requireNames ? "required" : "optional", org: app.signupMode === "user_org" ? org : "none" }
}

/** The extra fields of an invitee on an app's host. Only people who signed up themselves (`preverify`) found an org. */
export const extraFieldsForInvitee = (
  app: AppRequirements | undefined,
  { invitationType }: Pick<Invitation, "invitationType">
): ExtraFields => {
  if (app === undefined) return { names: "optional", org: "none" }
  const fields = extraFieldsOf(app)
  return invitationType === "preverify" ? fields : { ...fields, org: "none" }
}

/** Validates the extra fields of a form. */
export const extraFieldProblems = (
  form: Pick<SignupForm, "firstName" | "lastName" | "orgName">,
  { names, org }: ExtraFields
): ReadonlyArray<Problem> => [
  ...nameProblems("first_name", form.firstName, names === "required"),
  ...nameProblems("last_name", form.lastName, names === "required"),
  ...(org === "none" ? [] : nameProblems("org_name", form.orgName, org === "required"))
]

/** Validates a sign-up form, apart from the rules for users: spaces in a username (C91), repeated inputs, and the app's extra fields. */
export const signupProblems = (form: SignupForm, app: AppRequirements): ReadonlyArray<Problem> => {
  const { email, emailConfirmation, password = "", passwordConfirmation: again } = form
  const problems: Array<Problem> = []
  if (/\s/u.test(form.username?.trim() ?? "")) problems.push(problem("username", "username_spaces"))
  if (emailConfirmation !== undefined && canonical(emailConfirmation) !== canonical(email ?? "")) {
    problems.push(problem("email_confirmation", "unmatched_email"))
  }
  problems.push(...extraFieldProblems(form, extraFieldsOf(app)))
  if (again === undefined && app.requirePasswordConfirmation) problems.push(problem("password_confirmation", "blank"))
  if (again !== undefined && again !== password) problems.push(problem("password_confirmation", "unmatched"))
  return problems
}

/** Sign-up is closed: people may ask for an invitation (`request`), or not even that (`none`). */
export class SignupClosed extends Data.TaggedError("SignupClosed")<{ readonly way: "request" | "none" }> {}

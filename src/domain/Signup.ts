import { Data } from "effect"
import type { ConnectedApp } from "./ConnectedApp.ts"
import type { Invitation } from "./Invitation.ts"
import type { Realm } from "./Realm.ts"
import { type Problem, problem } from "./Rejected.ts"
import { canonical, isStorable, isWithin, presence, TEXT_LENGTH } from "./Text.ts"

/**
 * What signing up on the host of an app comes to (decisions 18, 40a, 41): a user; one with an org; a token that the app
 * makes a user of; `preverify`: first the mail that proves the e-mail; `request`: asking to be invited; or nothing.
 */
export type SignupWay = "user" | "user_org" | "user_token" | "preverify" | "request" | "none"

/** The realm's `signup` caps what the app lets people do. Who makes users of tokens sees to their e-mails too. */
export const signupWay = (
  realm: Pick<Realm, "signup" | "emailVerification">,
  app: Pick<ConnectedApp, "signupMode">
): SignupWay => {
  if (realm.signup === "closed") return "none"
  if (realm.signup === "invitation") return "request"
  const { signupMode } = app
  const proves = realm.emailVerification === "preverify" && signupMode !== "none" && signupMode !== "user_token"
  return proves ? "preverify" : signupMode
}

/** What somebody who signs up fills in. Undefined: it was not sent at all. */
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

type Demands = Pick<ConnectedApp, "requirePasswordConfirmation" | "requireNames" | "requireOrgName" | "signupMode">

const nameProblems = (field: string, typed: string | undefined, required: boolean): ReadonlyArray<Problem> => {
  if (presence(typed ?? null) === null) return required ? [problem(field, "blank")] : []
  if (!isStorable(typed ?? "")) return [problem(field, "invalid")]
  return isWithin(TEXT_LENGTH, typed ?? "") ? [] : [problem(field, "too_long", { maximum: TEXT_LENGTH })]
}

/** What is asked of somebody besides e-mail and password. */
export interface AskedBesides {
  readonly names: "optional" | "required"
  readonly org: "none" | "optional" | "required"
}

/** What an app asks of all who sign up (decision 41). */
export const askedBy = (app: Demands): AskedBesides => {
  const org = app.requireOrgName ? "required" : "optional"
  return { names: app.requireNames ? "required" : "optional", org: app.signupMode === "user_org" ? org : "none" }
}

/** The same of somebody who comes by an invitation: who was invited by others gives what they like. */
export const askedOfInvited = (
  app: Demands | undefined,
  { invitationType }: Pick<Invitation, "invitationType">
): AskedBesides =>
  app !== undefined && invitationType === "preverify" ? askedBy(app) : { names: "optional", org: "none" }

/** What of that is missing or wrong in a form. */
export const besidesProblems = (
  form: Pick<SignupForm, "firstName" | "lastName" | "orgName">,
  { names, org }: AskedBesides
): ReadonlyArray<Problem> => [
  ...nameProblems("first_name", form.firstName, names === "required"),
  ...nameProblems("last_name", form.lastName, names === "required"),
  ...(org === "none" ? [] : nameProblems("org_name", form.orgName, org === "required"))
]

/** What is wrong with a form beside the rules for users: what has to be typed twice, and what the app asks for. */
export const signupProblems = (form: SignupForm, app: Demands): ReadonlyArray<Problem> => {
  const { email, emailConfirmation, password: typed = "", passwordConfirmation: again } = form
  const problems: Array<Problem> = []
  if (emailConfirmation !== undefined && canonical(emailConfirmation) !== canonical(email ?? "")) {
    problems.push(problem("email_confirmation", "unmatched_email"))
  }
  problems.push(...besidesProblems(form, askedBy(app)))
  if (again === undefined && app.requirePasswordConfirmation) problems.push(problem("password_confirmation", "blank"))
  if (again !== undefined && again !== typed) problems.push(problem("password_confirmation", "unmatched"))
  return problems
}

/** Nobody signs up here by themselves. */
export class SignupClosed extends Data.TaggedError("SignupClosed")<{ readonly way: "request" | "none" }> {}

import type { InvitationPreview } from "#core/invitations/InvitationFlow"
import { brandNameOf } from "#domain/ConnectedApp"
import { isSameEmail } from "#domain/Email"
import { extraFieldsForInvitee } from "#domain/Signup"
import { type User, usesUsernames } from "#domain/User"
import { type Html, html } from "#platform/Html"
import { pageUrl } from "../../FlowParams.ts"
import { newPasswordFields } from "../../markup/CommonFields.ts"
import type { View } from "../../markup/Document.ts"
import { extraFieldParts } from "../../markup/ExtraFields.ts"
import { type Field, type FieldErrors, type Form, formMarkup } from "../../markup/Fields.ts"
import { backToApp, linkLine, primaryLink } from "../../markup/Links.ts"
import { mfaCodeView, type SecondStep } from "../../markup/MfaCodeView.ts"
import { successView } from "../../markup/Notices.ts"
import { userText } from "../../markup/UserText.ts"
import type { RealmPageContext } from "../../PageContext.ts"

/**
 * How an invitation is accepted: by the logged-in user, with a new account, with an existing account, or with the code of a
 * pending login.
 */
export type AcceptStep =
  | { readonly way: "accept"; readonly user: User }
  | { readonly way: "signup"; readonly firstName?: string; readonly lastName?: string; readonly orgName?: string }
  | { readonly way: "login"; readonly name?: string }
  | { readonly way: "code"; readonly login: string; readonly factors: SecondStep }

/** A link to another form for the same token. */
const switchLink = (
  { flow }: RealmPageContext,
  token: string,
  way: "signup" | "login",
  question: string,
  label: string
): Html => html`<p class="part">${question} <a href="${pageUrl("invitation", { token, way }, flow)}">${label}</a></p>`

const signupForm = (
  { texts, realm, app, flow }: RealmPageContext,
  { invitation, passwordRequirements }: InvitationPreview,
  token: string,
  step: AcceptStep
): Form => {
  const { form: copy } = texts
  const { firstName = "", lastName = "", orgName = "" } = step.way === "signup" ? step : {}
  const extraFields = extraFieldsForInvitee(realm, app, invitation)
  const typed = { first_name: firstName, last_name: lastName, org_name: orgName }
  const { required, optional } = extraFieldParts(texts, extraFields, typed)
  const passwords = newPasswordFields(texts, passwordRequirements, copy.password)
  const email = { label: copy.email, type: "email", autocomplete: "username", value: invitation.email } as const
  const fields: ReadonlyArray<Field> = [
    { ...email, name: "email", fixed: true },
    ...(app?.requirePasswordConfirmation === true ? passwords : passwords.slice(0, 1)),
    ...required
  ]
  const hidden = { ...flow, token, way: "signup" }
  const { signupButton } = texts.invitation
  const button = invitation.invitationType === "preverify" ? texts.signup.button : signupButton
  return { page: "invitation", hidden, fields, optional, button, focus: true }
}

const loginForm = (
  { texts, realm, flow }: RealmPageContext,
  { invitation, hasAccount }: InvitationPreview,
  token: string,
  step: AcceptStep
): Form => {
  const { form: copy } = texts
  const value = (step.way === "login" ? step.name : undefined) ?? (hasAccount ? invitation.email : "")
  const label = usesUsernames(realm, "human") ? copy.name : copy.email
  const fields: ReadonlyArray<Field> = [
    { name: "name", label, type: "text", autocomplete: "username", value },
    { name: "password", label: copy.password, type: "password", autocomplete: "current-password" }
  ]
  const hidden = { ...flow, token, way: "login" }
  return { page: "invitation", hidden, fields, button: texts.invitation.loginButton, focus: true }
}

/**
 * Asks a logged-in user to accept. If the invitation was sent to someone else, the form tells the user and first suggests
 * using another account (SEC-92).
 */
const acceptForm = (
  { texts, flow }: RealmPageContext,
  token: string,
  { invitation }: InvitationPreview,
  user: User,
  errors: FieldErrors
): Html => {
  const { joinLead, joinButton: button } = texts.social
  const account = userText(user.email ?? user.name)
  const hidden = { ...flow, token, way: "accept", user: user.id }
  const form = { page: "invitation", hidden, fields: [], button }
  const otherUrl = pageUrl("invitation", { token, way: "login" }, flow)
  if (isSameEmail(user.email, invitation.email)) {
    return html`<p>${texts.logout.lead(account)}</p>
${formMarkup(texts, form, errors)}
<div class="part">${linkLine(otherUrl, texts.login.other)}</div>`
  }
  return html`<p>${joinLead(account, userText(invitation.email))}</p>
${primaryLink(otherUrl, texts.login.other)}
${formMarkup(texts, { ...form, quiet: true }, errors)}`
}

/** Tells members of the org that the invitation is for someone else (C104). */
const alreadyMemberView = (
  context: RealmPageContext,
  token: string,
  { invitation, org }: InvitationPreview,
  user: User
): View => {
  const { texts, flow } = context
  const { belongs, belongsTitle: title } = texts.invitation
  const account = userText(user.email ?? user.name)
  return {
    status: 200,
    title,
    content: html`<p>${belongs(userText(org?.name ?? brandNameOf(context)))}</p>
<p>${texts.social.joinLead(account, userText(invitation.email))}</p>
${primaryLink(pageUrl("invitation", { token, way: "login" }, flow), texts.login.other)}
${backToApp(context)}`
  }
}

/** Shows who invited the visitor and to what, with the form of the step. */
export const acceptInvitationView = (
  context: RealmPageContext,
  token: string,
  seen: InvitationPreview,
  step: AcceptStep,
  errors: FieldErrors = []
): View => {
  const { texts } = context
  const copy = texts.invitation
  const hasErrors = errors.length > 0
  if (step.way === "code") {
    const { login, factors } = step
    const flow = { ...context.flow, token }
    return mfaCodeView(context, { ...factors, page: "invitation", flow, login, button: copy.codeButton }, errors)
  }
  const org = seen.org === undefined ? undefined : userText(seen.org.name)
  const inviter = seen.inviter === undefined ? undefined : userText(seen.inviter)
  const lead = copy.lead({ realm: userText(brandNameOf(context)), org, inviter })
  if (step.way === "accept" && seen.isMember) return alreadyMemberView(context, token, seen, step.user)
  if (step.way === "accept") {
    const content = html`<p>${lead}</p>
${acceptForm(context, token, seen, step.user, errors)}`
    return { status: 200, title: copy.title, hasErrors, content }
  }
  const isSignup = step.way === "signup"
  const form = isSignup ? signupForm(context, seen, token, step) : loginForm(context, seen, token, step)
  const other = isSignup
    ? switchLink(context, token, "login", copy.toLogin, copy.toLoginLink)
    : switchLink(context, token, "signup", copy.toSignup, copy.toSignupLink)
  // Users who signed up themselves have no inviter.
  if (isSignup && seen.invitation.invitationType === "preverify") {
    const content = html`<p>${copy.ownLead(userText(brandNameOf(context)))}</p>
${formMarkup(texts, form, errors)}
${context.app !== undefined && context.client === undefined && html`<p class="part soft">${texts.authorize.elsewhere}</p>`}
${other}`
    return { status: 200, title: copy.own, hasErrors, content }
  }
  const content = html`<p>${lead}</p>
<section aria-labelledby="way">
<h2 id="way">${isSignup ? copy.signup : copy.login}</h2>
${formMarkup(texts, form, errors)}
</section>
${other}`
  return { status: 200, title: copy.title, hasErrors, content }
}

/** Welcomes a user who has accepted. `newEmail` is the email of an account that was just created. */
export const invitationAcceptedView = (
  context: RealmPageContext,
  { org }: InvitationPreview,
  newEmail?: string
): View => {
  const { done: title, joined, newAccount } = context.texts.invitation
  const lead = joined(userText(brandNameOf(context)), org === undefined ? undefined : userText(org.name))
  return successView(context, title, newEmail === undefined ? [lead] : [lead, newAccount(userText(newEmail))])
}

import { brandNameOf } from "#domain/ConnectedApp"
import type { PasswordRequirements } from "#domain/PasswordPolicy"
import type { ExtraFields } from "#domain/Signup"
import { html } from "#platform/Html"
import { type FlowParams, pageUrl } from "../../FlowParams.ts"
import { newPasswordFields } from "../../markup/CommonFields.ts"
import { icons, type View } from "../../markup/Document.ts"
import { type ExtraValues, extraFieldParts } from "../../markup/ExtraFields.ts"
import { type Field, type FieldErrors, formMarkup } from "../../markup/Fields.ts"
import { linkLine } from "../../markup/Links.ts"
import { type OfferedProvider, providerLinks } from "../../markup/ProviderLinks.ts"
import { clientName, userText } from "../../markup/UserText.ts"
import type { AppPageContext } from "../../PageContext.ts"

/** The values of a sign-up form. */
export interface SignupValues extends ExtraValues {
  readonly username: string
  readonly email: string
}

/** The fields of a sign-up form, and the providers. */
export interface SignupOffer extends ExtraFields {
  readonly flow: FlowParams
  readonly values: SignupValues
  readonly usernames: boolean
  readonly passwordRequirements: PasswordRequirements
  /** Whether the password must be typed twice. */
  readonly confirmation: boolean
  readonly providers: ReadonlyArray<OfferedProvider>
}

/** The form of a sign-up that starts with only the email. */
export interface EmailOffer {
  readonly flow: FlowParams
  readonly values: { readonly email: string }
}

const loginFields = ({ texts }: AppPageContext, offer: SignupOffer): ReadonlyArray<Field> => {
  const { form: copy, signup } = texts
  const { values, passwordRequirements, usernames } = offer
  const passwords = newPasswordFields(texts, passwordRequirements, copy.password)
  const email = { name: "email", label: copy.email, type: "email", value: values.email } as const
  const username = { name: "username", label: signup.username, type: "text", value: values.username } as const
  return [
    { ...email, autocomplete: usernames ? "email" : "username" },
    ...(usernames ? [{ ...username, autocomplete: "username" }] : []),
    ...(offer.confirmation ? passwords : passwords.slice(0, 1))
  ]
}

const loginLink = ({ texts }: AppPageContext, flow: FlowParams) =>
  html`<div class="part">${linkLine(pageUrl("login", flow), texts.signup.toLoginLink, texts.signup.toLogin)}</div>`

/** The link for users who already have an account. */
const accountLinks = ({ texts }: AppPageContext, flow: FlowParams) =>
  html`<p class="links"><a href="${pageUrl("login", flow)}">${texts.login.button}</a> <a href="${pageUrl("forgot", flow)}">${texts.login.forgot}</a></p>
`

/** Names the client that the user returns to after the sign-up. */
const clientLine = ({ texts, client }: AppPageContext) =>
  client !== undefined &&
  html`<p>${texts.authorize.toSignup(clientName(client))}</p>
`

/** Asks for the data of a new account, or offers a login with a provider. */
export const signupView = (context: AppPageContext, offer: SignupOffer, errors: FieldErrors = []): View => {
  const { texts } = context
  const { flow, providers } = offer
  const hidden = { ...flow, way: "signup" }
  const { required, optional } = extraFieldParts(texts, offer, offer.values)
  const fields = [...loginFields(context, offer), ...required]
  const isTaken = errors.some(({ code }) => code === "taken")
  const help = isTaken ? { help: accountLinks(context, flow) } : {}
  const form = { page: "signup", hidden, fields, optional, button: texts.signup.button, focus: true, ...help }
  return {
    status: 200,
    title: texts.signup.title,
    hasErrors: errors.length > 0,
    content: html`${clientLine(context)}${formMarkup(texts, form, errors)}
${providers.length > 0 && html`<p class="or"><span>${texts.login.or}</span></p>`}
${providerLinks(texts, providers, flow)}
${loginLink(context, flow)}`
  }
}

const emailFields = ({ texts }: AppPageContext, { values }: EmailOffer): ReadonlyArray<Field> => [
  { name: "email", label: texts.form.email, type: "email", autocomplete: "email", value: values.email }
]

/** Asks for an email to verify before the account is created. */
export const preverifyView = (context: AppPageContext, offer: EmailOffer, errors: FieldErrors = []): View => {
  const { texts } = context
  const { preverify: title, preverifyLead, preverifyButton: button } = texts.signup
  const hidden = { ...offer.flow, way: "preverify" }
  return {
    status: 200,
    title,
    hasErrors: errors.length > 0,
    content: html`${clientLine(context)}<p>${preverifyLead}</p>
${formMarkup(texts, { page: "signup", hidden, fields: emailFields(context, offer), button, focus: true }, errors)}
${loginLink(context, offer.flow)}`
  }
}

/** Asks people for their email to request access to an invitation-only realm. */
export const requestAccessView = (context: AppPageContext, offer: EmailOffer, errors: FieldErrors = []): View => {
  const { texts } = context
  const { request: title, requestLead, requestButton: button } = texts.signup
  const hidden = { ...offer.flow, way: "request" }
  return {
    status: 200,
    title,
    hasErrors: errors.length > 0,
    content: html`<p>${requestLead(userText(brandNameOf(context)))}</p>
${formMarkup(texts, { page: "signup", hidden, fields: emailFields(context, offer), button, focus: true }, errors)}
${loginLink(context, offer.flow)}`
  }
}

/** Tells visitors that sign-ups are closed. */
export const signupClosedView = (context: AppPageContext, flow: FlowParams): View => {
  const { closed: title, closedLead, closedTodo } = context.texts.signup
  return {
    status: 404,
    title,
    icon: icons.problem,
    content: html`<p>${closedLead(userText(brandNameOf(context)))}</p>
<p>${closedTodo}</p>
${loginLink(context, flow)}`
  }
}

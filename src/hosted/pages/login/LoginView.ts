import { brandNameOf } from "#domain/ConnectedApp"
import { usesUsernames } from "#domain/User"
import { type Html, html } from "#platform/Html"
import { type FlowParams, pageUrl } from "../../FlowParams.ts"
import { logoutLink } from "../../markup/AppLinks.ts"
import type { View } from "../../markup/Document.ts"
import { type Field, type FieldErrors, formMarkup } from "../../markup/Fields.ts"
import { linkLine } from "../../markup/Links.ts"
import { type OfferedProvider, providerLinks } from "../../markup/ProviderLinks.ts"
import { userText } from "../../markup/UserText.ts"
import type { AppPageContext } from "../../PageContext.ts"
import type { Texts } from "../../texts/en.ts"

/** What a login page offers. */
export interface LoginOffer {
  readonly flow: FlowParams
  /** What `reason` was told by, which stays with the form. */
  readonly why?: FlowParams
  /** The e-mail or username to fill in. */
  readonly name?: string
  readonly passwords: boolean
  /** Whether a code by e-mail logs in. */
  readonly emailCodes?: boolean
  readonly providers: ReadonlyArray<OfferedProvider>
  readonly signUp: "none" | "signup" | "request"
  /** Why a page has led to the login. */
  readonly reason?: string | undefined
}

/** The field for the name that users log in by: the realm decides whether it may be a username. */
export const loginNameField = ({ texts, realm }: AppPageContext, value: string): Field => ({
  name: "name",
  label: usesUsernames(realm, "human") ? texts.form.name : texts.form.email,
  type: usesUsernames(realm, "human") ? "text" : "email",
  autocomplete: "username",
  value
})

const passwordForm = (context: AppPageContext, offer: LoginOffer, errors: FieldErrors): Html => {
  const { texts } = context
  const fields: ReadonlyArray<Field> = [
    loginNameField(context, offer.name ?? ""),
    { name: "password", label: texts.form.password, type: "password", autocomplete: "current-password" }
  ]
  const hidden = { ...offer.flow, ...offer.why, way: "login" }
  return html`${formMarkup(texts, { page: "login", hidden, fields, button: texts.login.button }, errors)}
${linkLine(pageUrl("forgot", offer.flow), texts.login.forgot)}`
}

const signupLink = ({ login }: Texts, { signUp, flow }: LoginOffer): Html | undefined => {
  if (signUp === "none") return undefined
  const label = signUp === "signup" ? login.toSignupLink : login.toRequestLink
  return html`<div class="part">${linkLine(pageUrl("signup", flow), label, login.toSignup)}</div>`
}

const emailCodeLink = ({ emailCode }: Texts, flow: FlowParams): Html =>
  html`<p><a class="choice" href="${pageUrl("code", flow)}">${emailCode.choose}</a></p>`

/** Offers the ways to log in: by password, and with the realm's providers. */
export const loginView = (context: AppPageContext, offer: LoginOffer, errors: FieldErrors = []): View => {
  const { texts } = context
  const { passwords, emailCodes = false, providers, flow } = offer
  const hasBoth = passwords && (providers.length > 0 || emailCodes)
  return {
    status: 200,
    title: texts.login.title,
    hasErrors: errors.length > 0,
    content: html`${offer.reason !== undefined && html`<p>${offer.reason}</p>`}
${passwords && passwordForm(context, offer, errors)}
${hasBoth && html`<p class="or"><span>${texts.login.or}</span></p>`}
${emailCodes && emailCodeLink(texts, flow)}
${providerLinks(texts, providers, flow)}
${!passwords && !emailCodes && providers.length === 0 && html`<p>${texts.login.closed}</p>`}
${signupLink(texts, offer)}`
  }
}

/** Offers a user who is logged in already to continue. `name`: the user's. */
export const continueView = (
  context: AppPageContext,
  { flow, name }: { readonly flow: FlowParams; readonly name: string }
): View => {
  const { texts } = context
  const { login: copy } = texts
  const hidden = { ...flow, way: "continue" }
  return {
    status: 200,
    title: copy.again,
    content: html`<p>${copy.againLead(userText(name), userText(brandNameOf(context)))}</p>
${formMarkup(texts, { page: "login", hidden, fields: [], button: copy.continueButton }, [])}
<div class="part">
${linkLine(pageUrl("login", flow, { way: "login" }), copy.other)}
${logoutLink(context, flow)}
</div>`
  }
}

import { hostedOperations } from "#api/hosted/V1"
import { brandNameOf } from "#domain/ConnectedApp"
import { type User, usesUsernames } from "#domain/User"
import { type Html, html } from "#platform/Html"
import { type FlowParams, pageUrl } from "../../FlowParams.ts"
import type { View } from "../../markup/Document.ts"
import { errorSummary, type Field, type FieldErrors, formMarkup } from "../../markup/Fields.ts"
import { linkLine, logoutLink } from "../../markup/Links.ts"
import { passkeyForm, passkeySupportField } from "../../markup/PasskeyForm.ts"
import { personMarkup } from "../../markup/Person.ts"
import { type OfferedProvider, providerLinks } from "../../markup/ProviderLinks.ts"
import { clientName, userText } from "../../markup/UserText.ts"
import type { AppPageContext } from "../../PageContext.ts"
import type { Texts } from "../../texts/en.ts"

/** The contents of a login page. */
export interface LoginOffer {
  readonly flow: FlowParams
  /** The reason in the URL, which forms pass on. */
  readonly why?: FlowParams
  /** The email or username to fill in. */
  readonly name?: string
  /** The logged-in user who must log in again. */
  readonly person?: User | undefined
  /** Tells the browser that a passkey is unknown. */
  readonly signals?: Html | undefined
  readonly passwords: boolean
  /** Whether users can log in with a code by email. */
  readonly emailCodes?: boolean
  readonly passkeys: boolean
  /** The URL of the app's pages. */
  readonly pages: string
  readonly providers: ReadonlyArray<OfferedProvider>
  readonly signUp: "none" | "signup" | "request"
  /** The text that explains why a page redirected to the login. */
  readonly reason?: string | undefined
}

/** The field for the login name. It can be a username if the realm allows them. */
export const loginNameField = ({ texts, realm }: AppPageContext, value: string, passkeys = false): Field => ({
  name: "name",
  label: usesUsernames(realm, "human") ? texts.form.name : texts.form.email,
  type: usesUsernames(realm, "human") ? "text" : "email",
  // Lets browsers suggest passkeys among the usernames.
  autocomplete: passkeys ? "username webauthn" : "username",
  value
})

const passwordForm = (context: AppPageContext, offer: LoginOffer, errors: FieldErrors): Html => {
  const { texts } = context
  const { person } = offer
  const known = person === undefined ? undefined : (person.email ?? person.username ?? undefined)
  const fields: ReadonlyArray<Field> = [
    ...(known === undefined ? [loginNameField(context, offer.name ?? "", offer.passkeys)] : []),
    { name: "password", label: texts.form.password, type: "password", autocomplete: "current-password" }
  ]
  const hidden = { ...offer.flow, ...offer.why, way: "login", ...(known === undefined ? {} : { name: known }) }
  const extra = offer.passkeys ? passkeySupportField : undefined
  const owner = known === undefined ? {} : { username: known }
  const form = { page: "login", hidden, extra, fields, button: texts.login.button, focus: true, ...owner }
  return html`${formMarkup(texts, form, errors)}
${linkLine(pageUrl("forgot", offer.flow), texts.login.forgot)}`
}

/** The passkey button. Its form also makes the browser suggest passkeys among the usernames. */
const passkeyButton = (texts: Texts, { flow, why, passwords, person }: LoginOffer, isRefused: boolean): Html =>
  passkeyForm(texts, {
    page: "login",
    hidden: { ...flow, ...why, way: "passkey" },
    method: "get",
    button: texts.passkeys.login,
    // Relative, because the pages for operators are below a path.
    options: hostedOperations.passkeyOptions.path.slice(1),
    // Passkeys are suggested in the username field. One that was just rejected should not be used automatically again.
    autofill: passwords && person === undefined && !isRefused,
    primary: !passwords
  })

/** The link below the form: to the sign-up or, for a logged-in user, to a login with another account. */
const otherLink = ({ login }: Texts, { signUp, flow, person }: LoginOffer): Html | undefined => {
  if (person !== undefined)
    return html`<div class="part">${linkLine(pageUrl("login", flow, { way: "login" }), login.other)}</div>`
  if (signUp === "none") return undefined
  const label = signUp === "signup" ? login.toSignupLink : login.toRequestLink
  return html`<div class="part">${linkLine(pageUrl("signup", flow), label, login.toSignup)}</div>`
}

const emailCodeLink = ({ emailCode }: Texts, flow: FlowParams): Html =>
  html`<p class="by-mail"><a class="choice" href="${pageUrl("code", flow)}">${emailCode.choose}</a></p>`

/** Shows the login form, and the realm's other login methods. */
export const loginView = (context: AppPageContext, offer: LoginOffer, errors: FieldErrors = []): View => {
  const { texts } = context
  const { passwords, passkeys, emailCodes = false, providers, flow, pages } = offer
  const [or, hasOthers] = [html`<span>${texts.login.or}</span>`, providers.length > 0 || emailCodes]
  return {
    status: 200,
    title: texts.login.title,
    hasErrors: errors.length > 0,
    passkeys: passkeys ? { from: `${pages}${hostedOperations.passkeyOptions.path}` } : undefined,
    content: html`${context.client !== undefined && html`<p>${texts.authorize.toLogin(clientName(context.client))}</p>`}
${offer.reason !== undefined && html`<p>${offer.reason}</p>`}
${offer.person !== undefined && personMarkup(offer.person)}
${passwords ? passwordForm(context, offer, errors) : errorSummary(texts, [], errors)}
${passwords && hasOthers && html`<p class="or">${or}</p>`}
${passwords && passkeys && !hasOthers && html`<p class="or" hidden data-passkeys="with">${or}</p>`}
${offer.signals}${passkeys && passkeyButton(texts, offer, errors.length > 0)}
${emailCodes && emailCodeLink(texts, flow)}
${providerLinks(texts, providers, flow)}
${!passwords && !passkeys && !hasOthers && html`<p>${texts.login.closed}</p>`}
${otherLink(texts, offer)}`
  }
}

/** Asks a logged-in user whether to continue. `name` is the user's name. */
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

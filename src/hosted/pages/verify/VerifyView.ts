import { brandNameOf } from "#domain/ConnectedApp"
import type { PossessionOptions } from "#domain/MailboxProof"
import { type Html, html } from "#platform/Html"
import { pageUrl } from "../../FlowParams.ts"
import { icons, type View } from "../../markup/Document.ts"
import { errorSummary, type Field, type FieldErrors, formMarkup } from "../../markup/Fields.ts"
import { primaryLink } from "../../markup/Links.ts"
import { successView } from "../../markup/Notices.ts"
import { userText } from "../../markup/UserText.ts"
import type { RealmPageContext } from "../../PageContext.ts"

/** Asks the user to confirm an email. */
export const verifyView = (
  { texts, realm, app, flow }: RealmPageContext,
  token: string,
  email: string,
  errors: FieldErrors = []
): View => {
  const { title, lead, button, otherwise } = texts.verify
  return {
    status: 200,
    title,
    hasErrors: errors.length > 0,
    content: html`<p>${lead(userText(email), userText(brandNameOf({ realm, app })))}</p>
${formMarkup(texts, { page: "verify", hidden: { ...flow, token }, fields: [], button }, errors)}
<p class="part soft">${otherwise}</p>`
  }
}

/** A confirmation that requires both the link and proof that the account belongs to the user. */
export interface PossessionProof {
  readonly token: string
  readonly email: string
  readonly offer: PossessionOptions
}

const passwordForm = (
  { texts, realm, app, flow }: RealmPageContext,
  proof: PossessionProof,
  errors: FieldErrors
): Html => {
  const { passwordLead, passwordButton: button, otherwise } = texts.verify
  const { token, email, offer } = proof
  const password: Field = {
    name: "password",
    label: texts.form.password,
    type: "password",
    autocomplete: "current-password"
  }
  // Password managers don't know the account by its new email yet.
  const known = offer.reset ? { username: email } : {}
  return html`<p>${passwordLead(userText(email), userText(brandNameOf({ realm, app })))}</p>
${formMarkup(texts, { page: "verify", hidden: { ...flow, token }, fields: [password], button, focus: true, ...known }, errors)}
${!offer.reset && html`<p class="part soft">${otherwise}</p>`}`
}

const loginHint = (
  { texts, realm, app, flow }: RealmPageContext,
  { email }: PossessionProof,
  errors: FieldErrors
): Html =>
  html`${errorSummary(texts, [], errors)}<p>${texts.verify.loginLead(userText(email), userText(brandNameOf({ realm, app })))}</p>
${app !== undefined && primaryLink(pageUrl("login", flow), texts.login.button)}`

/** Asks for proof of the account in a browser where nobody is logged in, or offers an email for resetting the password. */
export const possessionView = (context: RealmPageContext, proof: PossessionProof, errors: FieldErrors = []): View => {
  const { texts, flow } = context
  const { title, resetTitle, resetLead, resetButton: button } = texts.verify
  const { token, offer } = proof
  const reset = { page: "verify", hidden: { ...flow, token, way: "reset" }, fields: [], button, quiet: true }
  return {
    status: 200,
    title,
    hasErrors: errors.length > 0,
    content: html`${offer.password ? passwordForm(context, proof, errors) : loginHint(context, proof, errors)}
${
  offer.reset &&
  html`<section class="part" aria-labelledby="instead">
<h2 id="instead">${resetTitle}</h2>
<p>${resetLead}</p>
${formMarkup(texts, reset, [])}
</section>`
}`
  }
}

/** Confirms that an email for resetting the password was sent. */
export const suggestResetView = ({ texts }: RealmPageContext, email: string): View => ({
  status: 200,
  title: texts.sent.title,
  icon: icons.mail,
  hasMail: true,
  content: html`<p>${texts.verify.resetSent(userText(email))}</p>
<p class="soft">${texts.sent.missing}</p>`
})

/** Confirms that the email was verified. `isLoggedIn`: whether its user is logged in to the browser. */
export const verifiedView = (context: RealmPageContext, email: string, isLoggedIn: boolean): View => {
  const { done: title, doneLead } = context.texts.verify
  return successView(context, title, [doneLead(userText(email), userText(brandNameOf(context)))], isLoggedIn)
}

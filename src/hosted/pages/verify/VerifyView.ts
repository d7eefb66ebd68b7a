import type { PossessionOffer } from "#domain/MailboxProof"
import { type Html, html } from "#platform/Html"
import { type Page, signs } from "../../markup/Document.ts"
import { errorSummary, type Field, type FieldError, form, goTo } from "../../markup/Fields.ts"
import { done } from "../../markup/Notices.ts"
import { name } from "../../markup/UserText.ts"
import type { Visit } from "../../PageContext.ts"

/** Asks for the confirmation of an address. */
export const verifyPage = (
  { texts, realm, carried }: Visit,
  token: string,
  email: string,
  errors: ReadonlyArray<FieldError> = []
): Page => {
  const { title, lead, button, otherwise } = texts.verify
  return {
    status: 200,
    title,
    refused: errors.length > 0,
    content: html`<p>${lead(name(email), name(realm.name))}</p>
${form(texts, { page: "verify", hidden: { ...carried, token }, fields: [], button }, errors)}
<p class="part soft">${otherwise}</p>`
  }
}

/** A confirmation that is not taken from just anybody who has the link. */
export interface AskedPossession {
  readonly token: string
  readonly email: string
  readonly offer: PossessionOffer
}

const byPassword = ({ texts, realm }: Visit, asked: AskedPossession, errors: ReadonlyArray<FieldError>): Html => {
  const { passwordLead, passwordButton: button, otherwise } = texts.verify
  const { token, email, offer } = asked
  const password: Field = {
    name: "password",
    label: texts.form.password,
    type: "password",
    autocomplete: "current-password"
  }
  // An address that is still to be the account's is no name that its password is kept under.
  const known = offer.reset ? { username: email } : {}
  return html`<p>${passwordLead(name(email), name(realm.name))}</p>
${form(texts, { page: "verify", hidden: { token }, fields: [password], button, ...known }, errors)}
${!offer.reset && html`<p class="part soft">${otherwise}</p>`}`
}

const byLogin = ({ texts, realm, app }: Visit, { email }: AskedPossession, errors: ReadonlyArray<FieldError>): Html =>
  html`${errorSummary(texts, [], errors)}<p>${texts.verify.loginLead(name(email), name(realm.name))}</p>
${app !== undefined && goTo("login", texts.login.button)}`

/** Asks whoever has opened the link elsewhere to show that the account is theirs; or to have a new password sent. */
export const possessionPage = (visit: Visit, asked: AskedPossession, errors: ReadonlyArray<FieldError> = []): Page => {
  const { texts } = visit
  const { title, resetTitle, resetLead, resetButton: button } = texts.verify
  const { token, offer } = asked
  const reset = { page: "verify", hidden: { token, way: "reset" }, fields: [], button, quiet: true }
  return {
    status: 200,
    title,
    refused: errors.length > 0,
    content: html`${offer.password ? byPassword(visit, asked, errors) : byLogin(visit, asked, errors)}
${
  offer.reset &&
  html`<section class="part" aria-labelledby="instead">
<h2 id="instead">${resetTitle}</h2>
<p>${resetLead}</p>
${form(texts, reset, [])}
</section>`
}`
  }
}

/** Tells that a mail with a link to set a new password is on its way. */
export const resetInsteadPage = ({ texts }: Visit, email: string): Page => ({
  status: 200,
  title: texts.sent.title,
  sign: signs.mail,
  content: html`<p>${texts.verify.resetSent(name(email))}</p>
<p class="soft">${texts.sent.missing}</p>`
})

export const verifiedPage = (visit: Visit, email: string): Page => {
  const { done: title, doneLead } = visit.texts.verify
  return done(visit, title, [doneLead(name(email), name(visit.realm.name))])
}

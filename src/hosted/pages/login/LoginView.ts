import { haveUsernames } from "#domain/User"
import { type Html, html } from "#platform/Html"
import type { Page } from "../../markup/Document.ts"
import { address, type Carried, type Field, type FieldError, form, wayTo } from "../../markup/Fields.ts"
import { type OfferedProvider, providerLinks } from "../../markup/ProviderLinks.ts"
import { name } from "../../markup/UserText.ts"
import type { AppVisit } from "../../PageContext.ts"
import type { Texts } from "../../texts/en.ts"

/** What a login page offers. `name`: what was typed, or is known. */
export interface LoginOffer {
  readonly carried: Carried
  readonly name?: string
  readonly passwords: boolean
  readonly providers: ReadonlyArray<OfferedProvider>
  readonly signUp: "none" | "signup" | "request"
  /** Whether it is to be proved once more who somebody is. */
  readonly again?: boolean
}

/** The name somebody logs in by: what else than an address, the realm decides. */
export const loginName = ({ texts, realm }: AppVisit, value: string): Field => ({
  name: "name",
  label: haveUsernames(realm, "human") ? texts.form.name : texts.form.email,
  type: haveUsernames(realm, "human") ? "text" : "email",
  autocomplete: "username",
  value
})

const byPassword = (visit: AppVisit, offer: LoginOffer, errors: ReadonlyArray<FieldError>): Html => {
  const { texts } = visit
  const fields: ReadonlyArray<Field> = [
    loginName(visit, offer.name ?? ""),
    { name: "password", label: texts.form.password, type: "password", autocomplete: "current-password" }
  ]
  const hidden = { ...offer.carried, way: "login" }
  return html`${form(texts, { page: "login", hidden, fields, button: texts.login.button }, errors)}
${wayTo(address("forgot", offer.carried), texts.login.forgot)}`
}

const toSignup = ({ login: said }: Texts, { signUp, carried }: LoginOffer): Html | undefined => {
  if (signUp === "none") return undefined
  const label = signUp === "signup" ? said.toSignupLink : said.toRequestLink
  return html`<div class="part">${wayTo(address("signup", carried), label, said.toSignup)}</div>`
}

/** Asks who somebody is: by password, by a provider elsewhere. */
export const loginPage = (visit: AppVisit, offer: LoginOffer, errors: ReadonlyArray<FieldError> = []): Page => {
  const { texts } = visit
  const { passwords, providers, carried } = offer
  const both = passwords && providers.length > 0
  return {
    status: 200,
    title: texts.login.title,
    refused: errors.length > 0,
    content: html`${offer.again === true && html`<p>${texts.login.proofNeeded}</p>`}
${passwords && byPassword(visit, offer, errors)}
${both && html`<p class="or"><span>${texts.login.or}</span></p>`}
${providerLinks(texts, providers, carried)}
${!passwords && providers.length === 0 && html`<p>${texts.login.closed}</p>`}
${toSignup(texts, offer)}`
  }
}

/** Met by who is logged in already. */
export const continuePage = (
  { texts, realm }: AppVisit,
  seen: { readonly carried: Carried; readonly name: string }
): Page => {
  const { login: said } = texts
  const hidden = { ...seen.carried, way: "continue" }
  return {
    status: 200,
    title: said.again,
    content: html`<p>${said.againLead(name(seen.name), name(realm.name))}</p>
${form(texts, { page: "login", hidden, fields: [], button: said.continueButton }, [])}
<div class="part">
${wayTo(address("login", seen.carried, { way: "login" }), said.other)}
${wayTo(address("logout", seen.carried), texts.profile.logout)}
</div>`
  }
}

import type { PasswordDemands } from "#domain/PasswordPolicy"
import { html } from "#platform/Html"
import { type Page, signs } from "../../markup/Document.ts"
import { address, type Carried, type Field, type FieldError, form, newPassword, wayTo } from "../../markup/Fields.ts"
import { type OfferedProvider, providerLinks } from "../../markup/ProviderLinks.ts"
import { name } from "../../markup/UserText.ts"
import type { AppVisit } from "../../PageContext.ts"

/** What was typed of a new account. */
export interface SignupValues {
  readonly username: string
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly org_name: string
}

/** What a signup asks for. */
export interface SignupOffer {
  readonly carried: Carried
  readonly values: SignupValues
  readonly usernames: boolean
  readonly demands: PasswordDemands
  /** Whether the password is typed twice. */
  readonly confirmation: boolean
  readonly names: "optional" | "required"
  readonly org: "none" | "optional" | "required"
  readonly providers: ReadonlyArray<OfferedProvider>
}

/** Of a signup that begins with the address alone. */
export interface AddressOffer {
  readonly carried: Carried
  readonly values: { readonly email: string }
}

const line = (field: string, label: string, autocomplete: string, value: string, demand: string): Field => ({
  name: field,
  label,
  type: "text",
  autocomplete,
  value,
  ...(demand === "optional" ? { optional: true } : {})
})

const fieldsOf = ({ texts }: AppVisit, offer: SignupOffer): ReadonlyArray<Field> => {
  const { form: said, signup } = texts
  const { values, demands } = offer
  const hint = said.demands(demands.leastLength, demands.requiredChars)
  const passwords = newPassword(texts, hint, said.password)
  return [
    ...(offer.org === "none" ? [] : [line("org_name", signup.org, "organization", values.org_name, offer.org)]),
    line("first_name", said.firstName, "given-name", values.first_name, offer.names),
    line("last_name", said.lastName, "family-name", values.last_name, offer.names),
    {
      name: "email",
      label: said.email,
      type: "email",
      autocomplete: offer.usernames ? "email" : "username",
      value: values.email
    },
    ...(offer.usernames ? [line("username", signup.username, "username", values.username, "required")] : []),
    ...(offer.confirmation ? passwords : passwords.slice(0, 1))
  ]
}

const toLogin = ({ texts }: AppVisit, carried: Carried) =>
  html`<div class="part">${wayTo(address("login", carried), texts.signup.toLoginLink, texts.signup.toLogin)}</div>`

/** Makes an account. */
export const signupPage = (visit: AppVisit, offer: SignupOffer, errors: ReadonlyArray<FieldError> = []): Page => {
  const { texts } = visit
  const { carried, providers } = offer
  const hidden = { ...carried, way: "signup" }
  return {
    status: 200,
    title: texts.signup.title,
    refused: errors.length > 0,
    content: html`${form(texts, { page: "signup", hidden, fields: fieldsOf(visit, offer), button: texts.signup.button }, errors)}
${providers.length > 0 && html`<p class="or"><span>${texts.login.or}</span></p>`}
${providerLinks(texts, providers, carried)}
${toLogin(visit, carried)}`
  }
}

const addressFields = ({ texts }: AppVisit, { values }: AddressOffer): ReadonlyArray<Field> => [
  { name: "email", label: texts.form.email, type: "email", autocomplete: "email", value: values.email }
]

/** Makes sure of an address before there is an account. */
export const preverifyPage = (visit: AppVisit, offer: AddressOffer, errors: ReadonlyArray<FieldError> = []): Page => {
  const { texts } = visit
  const { preverify: title, preverifyLead, preverifyButton: button } = texts.signup
  const hidden = { ...offer.carried, way: "preverify" }
  return {
    status: 200,
    title,
    refused: errors.length > 0,
    content: html`<p>${preverifyLead}</p>
${form(texts, { page: "signup", hidden, fields: addressFields(visit, offer), button }, errors)}
${toLogin(visit, offer.carried)}`
  }
}

/** Asks for access where accounts are by invitation. */
export const requestPage = (visit: AppVisit, offer: AddressOffer, errors: ReadonlyArray<FieldError> = []): Page => {
  const { texts, realm } = visit
  const { request: title, requestLead, requestButton: button } = texts.signup
  const hidden = { ...offer.carried, way: "request" }
  return {
    status: 200,
    title,
    refused: errors.length > 0,
    content: html`<p>${requestLead(name(realm.name))}</p>
${form(texts, { page: "signup", hidden, fields: addressFields(visit, offer), button }, errors)}
${toLogin(visit, offer.carried)}`
  }
}

/** Where accounts are made elsewhere. */
export const signupClosedPage = (visit: AppVisit, carried: Carried): Page => {
  const { closed: title, closedLead, closedTodo } = visit.texts.signup
  return {
    status: 404,
    title,
    sign: signs.wait,
    content: html`<p>${closedLead(name(visit.realm.name))}</p>
<p>${closedTodo}</p>
${toLogin(visit, carried)}`
  }
}

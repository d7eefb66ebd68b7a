import type { PasswordDemands } from "#domain/PasswordPolicy"
import type { User } from "#domain/User"
import { html } from "#platform/Html"
import type { Page } from "../../markup/Document.ts"
import { type Field, type FieldError, form, newPassword } from "../../markup/Fields.ts"
import { done } from "../../markup/Notices.ts"
import { name } from "../../markup/UserText.ts"
import type { Visit } from "../../PageContext.ts"

/** Whose password it is, for the person and for what keeps passwords for them. */
const account = (label: string, { username, email }: User): ReadonlyArray<Field> => {
  const value = email ?? username
  return value === null ? [] : [{ name: "account", label, type: "text", autocomplete: "username", value, fixed: true }]
}

/** Asks for a new password. */
export const resetPage = (
  { texts, realm, carried }: Visit,
  token: string,
  { user, demands }: { readonly user: User; readonly demands: PasswordDemands },
  errors: ReadonlyArray<FieldError> = []
): Page => {
  const { title, lead, button } = texts.reset
  const said = texts.form.demands(demands.leastLength, demands.requiredChars)
  const fields = [...account(texts.form.account, user), ...newPassword(texts, said, texts.form.newPassword)]
  return {
    status: 200,
    title,
    refused: errors.length > 0,
    content: html`<p>${lead(name(realm.name))}</p>
${form(texts, { page: "reset", hidden: { ...carried, token }, fields, button }, errors)}`
  }
}

export const resetDonePage = (visit: Visit): Page => {
  const { done: title, doneLead } = visit.texts.reset
  return done(visit, title, [doneLead(name(visit.realm.name))])
}

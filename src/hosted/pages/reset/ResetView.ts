import { brandNameOf } from "#domain/ConnectedApp"
import type { PasswordRequirements } from "#domain/PasswordPolicy"
import type { User } from "#domain/User"
import { html } from "#platform/Html"
import { newPasswordFields } from "../../markup/CommonFields.ts"
import type { View } from "../../markup/Document.ts"
import { type Field, type FieldErrors, formMarkup } from "../../markup/Fields.ts"
import { successView } from "../../markup/Notices.ts"
import { userText } from "../../markup/UserText.ts"
import type { RealmPageContext } from "../../PageContext.ts"

/** Shows the account to the user and to password managers. */
const accountField = (label: string, { username, email }: User): ReadonlyArray<Field> => {
  const value = email ?? username
  return value === null ? [] : [{ name: "account", label, type: "text", autocomplete: "username", value, fixed: true }]
}

/** Asks for a new password. */
export const resetView = (
  { texts, realm, app, flow }: RealmPageContext,
  token: string,
  { user, passwordRequirements }: { readonly user: User; readonly passwordRequirements: PasswordRequirements },
  errors: FieldErrors = []
): View => {
  const { title, lead, button } = texts.reset
  const fields = [
    ...accountField(texts.form.account, user),
    ...newPasswordFields(texts, passwordRequirements, texts.form.newPassword)
  ]
  return {
    status: 200,
    title,
    hasErrors: errors.length > 0,
    content: html`<p>${lead(userText(brandNameOf({ realm, app })))}</p>
${formMarkup(texts, { page: "reset", hidden: { ...flow, token }, fields, button, focus: true }, errors)}`
  }
}

/** Confirms that the password was changed. */
export const resetDoneView = (context: RealmPageContext): View => {
  const { done: title, doneLead } = context.texts.reset
  return successView(context, title, [doneLead(userText(brandNameOf(context)))])
}

import type { PasswordRequirements } from "#domain/PasswordPolicy"
import type { User } from "#domain/User"
import { type Html, html } from "#platform/Html"
import { currentPasswordField, newPasswordFields } from "../../markup/CommonFields.ts"
import { collapsible, type FieldErrors, formMarkup } from "../../markup/Fields.ts"
import type { AppPageContext } from "../../PageContext.ts"

/** The state of a user's password. */
export interface PasswordState {
  readonly user: User
  readonly hasPassword: boolean
  readonly passwordRequirements: PasswordRequirements
}

/** The password section, with a form for changing the password or, if the user has none, for setting one. */
export const passwordSection = (
  { texts, flow }: AppPageContext,
  { user, hasPassword, passwordRequirements }: PasswordState,
  errors: FieldErrors
): Html => {
  const { form: copy, security } = texts
  const newPassword = newPasswordFields(texts, passwordRequirements, copy.newPassword)
  const button = hasPassword ? security.passwordButton : security.setPasswordButton
  const form = {
    page: "security",
    hidden: { ...flow, way: hasPassword ? "password" : "set_password" },
    fields: hasPassword ? [currentPasswordField(texts), ...newPassword] : newPassword,
    button,
    id: "password-",
    username: user.email ?? user.username ?? ""
  }
  return html`<section class="part" aria-labelledby="passwords">
<h2 id="passwords">${security.password}</h2>
${!hasPassword && html`<p>${security.noPassword}</p>`}
${collapsible(button, formMarkup(texts, form, errors), errors.length > 0)}
</section>`
}

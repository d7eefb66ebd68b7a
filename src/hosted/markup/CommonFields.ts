import type { PasswordRequirements } from "#domain/PasswordPolicy"
import type { Texts } from "../texts/en.ts"
import type { Field } from "./Fields.ts"

/** The field for the current password. `id` must be unique if the page has several of these fields. */
export const currentPasswordField = ({ profile }: Texts, id = "current_password"): Field => ({
  id,
  name: "current_password",
  label: profile.currentPassword,
  type: "password",
  autocomplete: "current-password"
})

/** The two fields for a new password, with the requirements, and the password's strength below the first field. */
export const newPasswordFields = (
  { form }: Texts,
  { minLength, requiredChars }: PasswordRequirements,
  label: string
): ReadonlyArray<Field> => {
  const hint = form.demands(minLength, requiredChars)
  const field = { type: "password", autocomplete: "new-password" } as const
  return [
    { ...field, name: "password", label, hint, strengthFrom: minLength },
    { ...field, name: "password_confirmation", label: form.again }
  ]
}

/** The field for a code of an authenticator app. */
export const codeField = ({ form }: Texts, hint: string, id = "code"): Field => ({
  name: "code",
  id,
  label: form.code,
  type: "text",
  autocomplete: "one-time-code",
  hint,
  numeric: true
})

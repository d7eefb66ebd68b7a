import type { PasswordRequirements } from "#domain/PasswordPolicy"
import { type Html, html } from "#platform/Html"
import type { Texts } from "../texts/en.ts"
import { strengthMeter } from "./StrengthScript.ts"

/** A part of a page that expands when the user clicks its summary. Works without scripts. */
export const collapsible = (summary: Html | string, content: Html, isOpen: boolean): Html =>
  html`<details class="more"${isOpen && html` open`}>
<summary><span>${summary}</span></summary>
${content}</details>
`

/** An error of a submitted form. `field` is null for an error of the entire form. */
export interface FieldError {
  readonly field: string | null
  readonly text: string
  readonly code?: string
  /** Returns the text with the label of the field, for errors of fields. */
  readonly labelled?: (label: string) => string
  /** The text without a label, shown below the field. */
  readonly bare?: string
}

export type FieldErrors = ReadonlyArray<FieldError>

/** An input in a form. */
export interface Field {
  readonly name: string
  /** The `id` of the input, if another form on the page has a field with the same name. */
  readonly id?: string
  readonly label: string
  readonly type: "text" | "password" | "email"
  readonly autocomplete: string
  readonly hint?: string
  readonly value?: string
  /** Whether the field is optional. The label shows this, unless the value is `unmarked`. */
  readonly optional?: boolean | "unmarked"
  /** Whether the value is shown but not submitted. */
  readonly fixed?: boolean
  readonly numeric?: boolean
  /** Turns off capitalization and spell checking. They are always off for names and codes. */
  readonly verbatim?: boolean
  /** Whether the field takes up half a line, next to another half. */
  readonly half?: boolean
  /** Whether the field gets the focus when the page opens. If there is an error summary, the summary gets the focus instead. */
  readonly autofocus?: boolean
  /** The minimum length of a new password. The password's strength is shown below the field. */
  readonly strengthFrom?: number
  /** Renders the field as a select. */
  readonly choices?: ReadonlyArray<Choice>
}

interface Choice {
  readonly value: string
  readonly label: string
  /** The language of the label, if it is not the language of the page. */
  readonly language?: string
}

/** The optional fields. They are collapsed unless one of them has a value or an error. */
export interface OptionalFields {
  readonly summary: string
  readonly fields: ReadonlyArray<Field>
}

/** A form that is posted to a page of hosted login. */
export interface Form {
  readonly page: string
  /** The hidden fields. */
  readonly hidden: Readonly<Record<string, string>>
  /** A hidden field that a script sets. */
  readonly extra?: Html | undefined
  readonly fields: ReadonlyArray<Field>
  readonly optional?: OptionalFields | undefined
  readonly button: string
  /** The accessible name of the button, if its text is unclear without context. It must start with the text. */
  readonly label?: string
  /** Help text shown in the error summary. */
  readonly help?: Html
  /** A prefix for the IDs of the form's errors, to distinguish them from those of other forms on the page. */
  readonly id?: string
  /** Whether the form is secondary on the page. */
  readonly quiet?: boolean
  /** The username for password managers, if no field contains the username. */
  readonly username?: string
}

/** The autocomplete types of fields for which browsers must not capitalize words or check spelling. */
const verbatim: ReadonlySet<string> = new Set(["one-time-code", "username", "username webauthn", "email"])

const textOf = ({ text, labelled }: FieldError, field: Field | undefined): string =>
  field === undefined || labelled === undefined ? text : labelled(field.label)

const idOf = ({ id, name }: Field): string => id ?? name

const describedBy = (id: string, field: Field, errors: FieldErrors): Html => {
  const ids = [...(field.hint === undefined ? [] : [`${id}-hint`]), ...(errors.length === 0 ? [] : [`${id}-error`])]
  return ids.length === 0 ? html`` : html` aria-describedby="${ids.join(" ")}"`
}

const select = ({ choices = [], value = "", name }: Field, id: string, attributes: Html): Html =>
  html`<select id="${id}" name="${name}" required${attributes}>${choices.map(
    (choice) =>
      html`<option value="${choice.value}"${choice.language !== undefined && html` lang="${choice.language}"`}${
        choice.value === value && html` selected`
      }>${choice.label}</option>`
  )}</select>`

const input = (texts: Texts, field: Field, id: string, attributes: Html): Html => {
  const { fixed = false, value } = field
  const isEmail = field.type === "email"
  // With `type="email"`, browsers would change the domain that the user typed.
  const element = html`<input id="${id}" type="${isEmail ? "text" : field.type}" autocomplete="${field.autocomplete}"${
    fixed ? html` readonly` : html` name="${field.name}"`
  }${!fixed && (field.optional ?? false) === false && html` required`}${
    value !== undefined && html` value="${value}"`
  }${field.numeric === true && html` inputmode="numeric"`}${isEmail && html` inputmode="email"`}${
    (isEmail || field.verbatim === true || verbatim.has(field.autocomplete)) &&
    !fixed &&
    html` autocapitalize="none" spellcheck="false"`
  }${field.type === "password" && html` data-show="${texts.form.show}"`}${field.autofocus === true && html` autofocus`}${attributes}>`
  return field.type === "password" ? html`<div class="secret">${element}</div>` : element
}

const labelledField = (texts: Texts, field: Field, all: FieldErrors): Html => {
  const { hint } = field
  const id = idOf(field)
  const errors = all.filter((error) => error.field === field.name)
  const attributes = html`${errors.length > 0 && html` aria-invalid="true"`}${describedBy(id, field, errors)}`
  return html`<div class="field">
<label for="${id}">${field.label}${field.optional === true && html` <span class="soft">${texts.form.optional}</span>`}</label>
${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
${errors.length > 0 && html`<p class="error" id="${id}-error">${errors.map(({ bare, text }) => bare ?? text).join(" ")}</p>`}
${field.choices === undefined ? input(texts, field, id, attributes) : select(field, id, attributes)}${
  field.strengthFrom !== undefined && strengthMeter(texts, id, field.strengthFrom)
}
</div>
`
}

/** Renders fields below one another. Neighboring halves share a line. */
export const fieldLines = (texts: Texts, fields: ReadonlyArray<Field>, errors: FieldErrors): ReadonlyArray<Html> => {
  const [first, second, ...others] = fields
  if (first === undefined) return []
  const shown = labelledField(texts, first, errors)
  if (first.half !== true || second?.half !== true) return [shown, ...fieldLines(texts, fields.slice(1), errors)]
  const line = html`<div class="line">
${shown}${labelledField(texts, second, errors)}</div>
`
  return [line, ...fieldLines(texts, others, errors)]
}

const optionalFields = (texts: Texts, { summary, fields }: OptionalFields, errors: FieldErrors): Html => {
  const isUsed = fields.some(({ name, value = "" }) => value !== "" || errors.some(({ field }) => field === name))
  const unmarked = fields.map((field) => ({ ...field, optional: "unmarked" }) as const)
  const label = html`${summary} <span class="soft">${texts.form.optional}</span>`
  return collapsible(label, html`${fieldLines(texts, unmarked, errors)}`, isUsed)
}

/**
 * The errors of a form, listed above it with links to their fields. The list gets the focus, so that screen readers read it
 * first.
 */
export const errorSummary = (
  texts: Texts,
  fields: ReadonlyArray<Field>,
  errors: FieldErrors,
  prefix = "",
  help?: Html
): Html => {
  const line = (error: FieldError) => {
    const target = fields.find(({ name }) => name === error.field)
    const text = textOf(error, target)
    return target === undefined ? html`<li>${text}</li>` : html`<li><a href="#${idOf(target)}">${text}</a></li>`
  }
  // Errors of the entire form come first, followed by the errors of fields in the order of the fields.
  const placeOf = (error: FieldError) => fields.findIndex(({ name }) => name === error.field)
  const inOrder = errors.toSorted((one, other) => placeOf(one) - placeOf(other))
  const id = `${prefix}errors`
  return errors.length === 0
    ? html``
    : html`<div class="errors" role="alert" tabindex="-1" autofocus aria-labelledby="${id}">
<h2 id="${id}">${texts.form.errors}</h2>
<ul>${inOrder.map(line)}</ul>
${help}</div>
`
}

/** Returns the form's only visible field, if all errors are about it. In this case, the form needs no error summary. */
const onlyWrongField = (fields: ReadonlyArray<Field>, errors: FieldErrors): Field | undefined => {
  const [only, ...others] = fields.filter(({ fixed }) => fixed !== true)
  if (only === undefined || others.length > 0 || errors.length === 0) return undefined
  return errors.every(({ field }) => field === only.name) ? only : undefined
}

/**
 * Renders a form with its errors. Browser validation is turned off, because its messages may be in a different language from
 * the page.
 */
export const formMarkup = (texts: Texts, form: Form, errors: FieldErrors): Html => {
  const { page, hidden, fields, optional, button, username } = form
  const all = [...fields, ...(optional?.fields ?? [])]
  const wrong = form.help === undefined ? onlyWrongField(all, errors) : undefined
  const summary = wrong === undefined && errorSummary(texts, all, errors, form.id, form.help)
  const shown = fields.map((field) => (field === wrong ? { ...field, autofocus: true } : field))
  return html`${summary}<form method="post" action="${page}" novalidate>
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}${form.extra}
${username !== undefined && html`<input type="text" autocomplete="username" value="${username}" readonly hidden>`}
${fieldLines(texts, shown, errors)}
${optional !== undefined && optionalFields(texts, optional, errors)}
<button type="submit"${form.quiet === true && html` class="quiet"`}${form.label !== undefined && html` aria-label="${form.label}"`}>${button}</button>
</form>
`
}

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

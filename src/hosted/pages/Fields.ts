import { type Html, html } from "#core/Html"
import type { Texts } from "../texts/en.ts"

/** What is wrong with a form that was sent: with a field of it, or with the whole. */
export interface FieldError {
  readonly field: string | null
  readonly text: string
}

/** One line to fill in. `name` is its id too. */
export interface Field {
  readonly name: string
  readonly label: string
  readonly type: "text" | "password" | "email"
  readonly autocomplete: string
  readonly hint?: string
  readonly value?: string
  readonly optional?: boolean
  /** Shown, and not sent. */
  readonly fixed?: boolean
  readonly numeric?: boolean
}

/** A form that posts to a page of this realm, with what it carries unseen. */
export interface Form {
  readonly page: string
  readonly hidden: Readonly<Record<string, string>>
  readonly fields: ReadonlyArray<Field>
  readonly button: string
}

/** What is no word of a language. */
const verbatim: ReadonlySet<string> = new Set(["one-time-code", "username"])

const described = (id: string, field: Field, errors: ReadonlyArray<FieldError>): Html => {
  const ids = [...(field.hint === undefined ? [] : [`${id}-hint`]), ...(errors.length === 0 ? [] : [`${id}-error`])]
  return ids.length === 0 ? html`` : html` aria-describedby="${ids.join(" ")}"`
}

const written = (texts: Texts, field: Field, all: ReadonlyArray<FieldError>): Html => {
  const { name: id, hint, value } = field
  const errors = all.filter((error) => error.field === id)
  return html`<div class="field">
<label for="${id}">${field.label}${field.optional === true ? html` <span class="soft">${texts.form.optional}</span>` : ""}</label>
${hint === undefined ? "" : html`<p class="hint" id="${id}-hint">${hint}</p>`}
${errors.length === 0 ? "" : html`<p class="error" id="${id}-error">${errors.map(({ text }) => text).join(" ")}</p>`}
<input id="${id}" type="${field.type}" autocomplete="${field.autocomplete}"${
    field.fixed === true ? html` readonly` : html` name="${id}"`
  }${field.fixed === true || field.optional === true ? "" : html` required`}${
    value === undefined ? "" : html` value="${value}"`
  }${field.numeric === true ? html` inputmode="numeric"` : ""}${
    verbatim.has(field.autocomplete) && field.fixed !== true ? html` autocapitalize="none" spellcheck="false"` : ""
  }${errors.length === 0 ? "" : html` aria-invalid="true"`}${described(id, field, errors)}>
</div>
`
}

/** What is wrong, before the form, each with the way to its field. It takes the focus, so that it is read first. */
export const errorSummary = (texts: Texts, fields: ReadonlyArray<Field>, errors: ReadonlyArray<FieldError>): Html => {
  const line = ({ field, text }: FieldError) =>
    fields.some(({ name }) => name === field)
      ? html`<li><a href="#${field ?? ""}">${text}</a></li>`
      : html`<li>${text}</li>`
  return errors.length === 0
    ? html``
    : html`<div class="errors" role="alert" tabindex="-1" autofocus aria-labelledby="errors">
<h2 id="errors">${texts.form.errors}</h2>
<ul>${errors.map(line)}</ul>
</div>
`
}

/** A form with its errors. Browsers check nothing of it: our sentences are in the reader's language. */
export const form = (texts: Texts, { page, hidden, fields, button }: Form, errors: ReadonlyArray<FieldError>): Html =>
  html`${errorSummary(texts, fields, errors)}<form method="post" action="${page}" novalidate>
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${fields.map((field) => written(texts, field, errors))}
<button type="submit">${button}</button>
</form>
`

/** The two fields of a new password. */
export const newPassword = ({ form: said }: Texts, hint: string, label: string): ReadonlyArray<Field> => [
  { name: "password", label, type: "password", autocomplete: "new-password", hint },
  { name: "password_confirmation", label: said.again, type: "password", autocomplete: "new-password" }
]

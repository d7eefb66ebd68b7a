import { type Html, html } from "#platform/Html"
import type { Texts } from "../texts/en.ts"

/** What is wrong with a form that was sent: with a field of it, or with the whole. */
export interface FieldError {
  readonly field: string | null
  readonly text: string
}

/** What a visit carries from page to page, such as where it leads in the end. */
export type Carried = Readonly<Record<string, string>>

/** One line to fill in. */
export interface Field {
  readonly name: string
  /** Its name, unless another form of the page has a field of that name. */
  readonly id?: string
  readonly label: string
  readonly type: "text" | "password" | "email"
  readonly autocomplete: string
  readonly hint?: string
  readonly value?: string
  readonly optional?: boolean
  /** Shown, and not sent. */
  readonly fixed?: boolean
  readonly numeric?: boolean
  /** What to choose from, instead of typing. */
  readonly choices?: ReadonlyArray<Choice>
}

interface Choice {
  readonly value: string
  readonly label: string
}

/** A form that posts to a page of this realm, with what it carries unseen. */
export interface Form {
  readonly page: string
  readonly hidden: Readonly<Record<string, string>>
  readonly fields: ReadonlyArray<Field>
  readonly button: string
  /** Sets its errors apart from those of the page's other forms. */
  readonly id?: string
  /** Not the first thing to be done on its page. */
  readonly quiet?: boolean
  /** For what keeps passwords: whose they are, where no field says so. */
  readonly username?: string
}

/** What is no word of a language. */
const verbatim: ReadonlySet<string> = new Set(["one-time-code", "username", "email"])

const idOf = ({ id, name }: Field): string => id ?? name

const described = (id: string, field: Field, errors: ReadonlyArray<FieldError>): Html => {
  const ids = [...(field.hint === undefined ? [] : [`${id}-hint`]), ...(errors.length === 0 ? [] : [`${id}-error`])]
  return ids.length === 0 ? html`` : html` aria-describedby="${ids.join(" ")}"`
}

const chosen = ({ choices = [], value = "", name }: Field, id: string, invalid: Html): Html =>
  html`<select id="${id}" name="${name}" required${invalid}>${choices.map(
    (choice) =>
      html`<option value="${choice.value}"${choice.value === value && html` selected`}>${choice.label}</option>`
  )}</select>`

const typed = (texts: Texts, field: Field, id: string, invalid: Html): Html => {
  const { fixed = false, value } = field
  const input = html`<input id="${id}" type="${field.type}" autocomplete="${field.autocomplete}"${
    fixed ? html` readonly` : html` name="${field.name}"`
  }${!fixed && field.optional !== true && html` required`}${
    value !== undefined && html` value="${value}"`
  }${field.numeric === true && html` inputmode="numeric"`}${
    verbatim.has(field.autocomplete) && !fixed && html` autocapitalize="none" spellcheck="false"`
  }${field.type === "password" && html` data-show="${texts.form.show}"`}${invalid}>`
  return field.type === "password" ? html`<div class="secret">${input}</div>` : input
}

const written = (texts: Texts, field: Field, all: ReadonlyArray<FieldError>): Html => {
  const { hint } = field
  const id = idOf(field)
  const errors = all.filter((error) => error.field === field.name)
  const invalid = html`${errors.length > 0 && html` aria-invalid="true"`}${described(id, field, errors)}`
  return html`<div class="field">
<label for="${id}">${field.label}${field.optional === true && html` <span class="soft">${texts.form.optional}</span>`}</label>
${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
${errors.length > 0 && html`<p class="error" id="${id}-error">${errors.map(({ text }) => text).join(" ")}</p>`}
${field.choices === undefined ? typed(texts, field, id, invalid) : chosen(field, id, invalid)}
</div>
`
}

/** What is wrong, before the form, each with the way to its field. It takes the focus, so that it is read first. */
export const errorSummary = (
  texts: Texts,
  fields: ReadonlyArray<Field>,
  errors: ReadonlyArray<FieldError>,
  prefix = ""
): Html => {
  const line = ({ field, text }: FieldError) => {
    const wrong = fields.find(({ name }) => name === field)
    return wrong === undefined ? html`<li>${text}</li>` : html`<li><a href="#${idOf(wrong)}">${text}</a></li>`
  }
  const id = `${prefix}errors`
  return errors.length === 0
    ? html``
    : html`<div class="errors" role="alert" tabindex="-1" autofocus aria-labelledby="${id}">
<h2 id="${id}">${texts.form.errors}</h2>
<ul>${errors.map(line)}</ul>
</div>
`
}

/** A form with its errors. Browsers check nothing of it: our sentences are in the reader's language. */
export const form = (texts: Texts, sent: Form, errors: ReadonlyArray<FieldError>): Html => {
  const { page, hidden, fields, button, username } = sent
  return html`${errorSummary(texts, fields, errors, sent.id)}<form method="post" action="${page}" novalidate>
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${username !== undefined && html`<input type="text" autocomplete="username" value="${username}" readonly hidden>`}
${fields.map((field) => written(texts, field, errors))}
<button type="submit"${sent.quiet === true && html` class="quiet"`}>${button}</button>
</form>
`
}

/** The password that somebody has. `id`: where a page asks for it more than once. */
export const passwordNow = ({ profile }: Texts, id = "current_password"): Field => ({
  id,
  name: "current_password",
  label: profile.currentPassword,
  type: "password",
  autocomplete: "current-password"
})

/** The two fields of a new password. */
export const newPassword = ({ form: said }: Texts, hint: string, label: string): ReadonlyArray<Field> => [
  { name: "password", label, type: "password", autocomplete: "new-password", hint },
  { name: "password_confirmation", label: said.again, type: "password", autocomplete: "new-password" }
]

/** The code of an authenticator app. */
export const codeField = ({ form: said }: Texts, hint: string, id = "code"): Field => ({
  name: "code",
  id,
  label: said.code,
  type: "text",
  autocomplete: "one-time-code",
  hint,
  numeric: true
})

/** The address of another of our pages, with what is carried there. */
export const address = (page: string, carried: Carried = {}, more: Carried = {}): string => {
  const query = new URLSearchParams({ ...carried, ...more }).toString()
  return query === "" ? page : `${page}?${query}`
}

/** A way to another page, below what the page is for. */
export const wayTo = (href: string, label: string, question?: string): Html =>
  html`<p class="way">${question !== undefined && html`${question} `}<a href="${href}">${label}</a></p>`

/** The way to the page that comes next. */
export const goTo = (href: string, label: string): Html => html`<p><a class="choice go" href="${href}">${label}</a></p>`

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
  /** A checkbox submits `yes`. Its label is beside it. */
  readonly type: "text" | "password" | "email" | "checkbox"
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

/** A field as it is shown in its form. */
interface ShownField extends Field {
  /** Whether the field gets the focus when the page opens. */
  readonly autofocus?: boolean
  /** Help text shown below the field's error. */
  readonly help?: Html | undefined
  /** The ID of the form's error, if the field gets the focus in its place. */
  readonly describedBy?: string | undefined
}

/** The optional fields. They are collapsed unless one of them has a value or an error. */
export interface OptionalFields {
  readonly summary: string
  readonly fields: ReadonlyArray<ShownField>
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
  /** A choice between the fields and the button. */
  readonly choice?: Html | undefined
  readonly button: string
  /** The accessible name of the button, if its text is unclear without context. It must start with the text. */
  readonly label?: string
  /** Help text shown with the errors. */
  readonly help?: Html
  /** A prefix for the IDs of the form's errors, to distinguish them from those of other forms on the page. */
  readonly id?: string
  /** Whether the form is secondary on the page. */
  readonly quiet?: boolean
  /** Whether the first field that needs input gets the focus when the page opens. */
  readonly focus?: boolean
  /** The username for password managers, if no field contains the username. */
  readonly username?: string
}

/** The autocomplete types of fields for which browsers must not capitalize words or check spelling. */
const verbatim: ReadonlySet<string> = new Set(["one-time-code", "username", "username webauthn", "email"])

const textOf = ({ text, labelled }: FieldError, field: Field | undefined): string =>
  field === undefined || labelled === undefined ? text : labelled(field.label)

const idOf = ({ id, name }: Field): string => id ?? name

const describedBy = (id: string, field: ShownField, errors: FieldErrors): Html => {
  const ids = [
    ...(field.describedBy === undefined ? [] : [field.describedBy]),
    ...(field.hint === undefined ? [] : [`${id}-hint`]),
    ...(errors.length === 0 ? [] : [`${id}-error`])
  ]
  return ids.length === 0 ? html`` : html` aria-describedby="${ids.join(" ")}"`
}

const select = ({ choices = [], value = "", name }: Field, id: string, attributes: Html): Html =>
  html`<select id="${id}" name="${name}" required${attributes}>${choices.map(
    (choice) =>
      html`<option value="${choice.value}"${choice.language !== undefined && html` lang="${choice.language}"`}${
        choice.value === value && html` selected`
      }>${choice.label}</option>`
  )}</select>`

const input = (texts: Texts, field: ShownField, id: string, attributes: Html): Html => {
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

const checkbox = ({ name, label, autocomplete }: Field, id: string, attributes: Html): Html =>
  html`<label class="check" for="${id}"><input id="${id}" type="checkbox" autocomplete="${autocomplete}" name="${name}" value="yes" required${attributes}> <span>${label}</span></label>`

const labelledField = (texts: Texts, field: ShownField, all: FieldErrors): Html => {
  const { hint } = field
  const id = idOf(field)
  const errors = all.filter((error) => error.field === field.name)
  const attributes = html`${errors.length > 0 && html` aria-invalid="true"`}${describedBy(id, field, errors)}`
  if (field.type === "checkbox") {
    return html`<div class="field">
${errors.length > 0 && html`<p class="error" id="${id}-error">${errors.map(({ text }) => text).join(" ")}</p>`}
${checkbox(field, id, attributes)}
</div>
`
  }
  return html`<div class="field">
<label for="${id}">${field.label}${field.optional === true && html` <span class="soft">${texts.form.optional}</span>`}</label>
${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
${errors.length > 0 && html`<p class="error" id="${id}-error">${errors.map(({ bare, text }) => bare ?? text).join(" ")}</p>${field.help}`}
${field.choices === undefined ? input(texts, field, id, attributes) : select(field, id, attributes)}${
  field.strengthFrom !== undefined && strengthMeter(texts, id, field.strengthFrom)
}
</div>
`
}

/** Renders fields below one another. Neighboring halves share a line. */
export const fieldLines = (
  texts: Texts,
  fields: ReadonlyArray<ShownField>,
  errors: FieldErrors
): ReadonlyArray<Html> => {
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

interface SummaryOptions {
  /** The prefix of the ID. */
  readonly prefix?: string
  readonly help?: Html | undefined
  readonly isFocused?: boolean
}

/**
 * The errors above a form: a single error as a sentence, several as a list with links to their fields. They get the focus,
 * so that screen readers read them first, unless `isFocused` is false.
 */
export const errorSummary = (
  texts: Texts,
  fields: ReadonlyArray<Field>,
  errors: FieldErrors,
  { prefix = "", help, isFocused = true }: SummaryOptions = {}
): Html => {
  const targetOf = (error: FieldError) => fields.find(({ name }) => name === error.field)
  const line = (error: FieldError) => {
    const target = targetOf(error)
    const text = textOf(error, target)
    return target === undefined ? html`<li>${text}</li>` : html`<li><a href="#${idOf(target)}">${text}</a></li>`
  }
  // Errors of the entire form come first, followed by the errors of fields in the order of the fields.
  const placeOf = (error: FieldError) => fields.findIndex(({ name }) => name === error.field)
  const inOrder = errors.toSorted((one, other) => placeOf(one) - placeOf(other))
  const id = `${prefix}errors`
  const [only, ...others] = inOrder
  if (only === undefined) return html``
  const focus = isFocused && html` tabindex="-1" autofocus`
  if (others.length === 0) {
    return html`<div class="errors" role="alert"${focus}><p id="${id}">${textOf(only, targetOf(only))}</p>
${help}</div>
`
  }
  return html`<div class="errors" role="alert"${focus} aria-labelledby="${id}">
<h2 id="${id}">${texts.form.errors}</h2>
<ul>${inOrder.map(line)}</ul>
${help}</div>
`
}

/** Returns the field that all errors are about, if there is one. Its error is shown at the field, without a summary. */
const onlyWrongField = (fields: ReadonlyArray<Field>, errors: FieldErrors): Field | undefined => {
  const [first, ...others] = errors
  if (first === undefined || others.some(({ field }) => field !== first.field)) return undefined
  return fields.find(({ name, fixed }) => name === first.field && fixed !== true)
}

/** Returns whether a field must still be filled in. */
const needsInput = ({ fixed = false, optional = false, value = "", choices }: Field): boolean =>
  !fixed && optional === false && value === "" && choices === undefined

/**
 * Returns how a form shows its errors, and which of its fields gets the focus: the wrong field, or else the first field that
 * needs input. `isDescribed` means that this field is described by the form's only error, which then needs no focus itself.
 */
const arrangement = ({ fields, optional, focus = false }: Form, errors: FieldErrors) => {
  const all = [...fields, ...(optional?.fields ?? [])]
  const wrong = onlyWrongField(all, errors)
  const isSentence = errors.length === 1 && wrong === undefined
  const next = focus && (errors.length === 0 || isSentence) ? fields.find(needsInput) : undefined
  return { all, wrong, focused: wrong ?? next, isDescribed: isSentence && next !== undefined }
}

/**
 * Renders a form with its errors. Browser validation is turned off, because its messages may be in a different language from
 * the page.
 */
export const formMarkup = (texts: Texts, form: Form, errors: FieldErrors): Html => {
  const { page, hidden, optional, button, username, help, id: prefix = "" } = form
  const { all, wrong, focused, isDescribed } = arrangement(form, errors)
  const summary = wrong === undefined && errorSummary(texts, all, errors, { prefix, help, isFocused: !isDescribed })
  const shown = (fields: ReadonlyArray<Field>): ReadonlyArray<ShownField> =>
    fields.map((field) =>
      field === focused
        ? {
            ...field,
            autofocus: true,
            help: field === wrong ? help : undefined,
            describedBy: isDescribed ? `${prefix}errors` : undefined
          }
        : field
    )
  return html`${summary}<form method="post" action="${page}" novalidate>
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}${form.extra}
${username !== undefined && html`<input type="text" autocomplete="username" value="${username}" readonly hidden>`}
${fieldLines(texts, shown(form.fields), errors)}
${optional !== undefined && optionalFields(texts, { ...optional, fields: shown(optional.fields) }, errors)}${form.choice}
<button type="submit"${form.quiet === true && html` class="quiet"`}${form.label !== undefined && html` aria-label="${form.label}"`}>${button}</button>
</form>
`
}

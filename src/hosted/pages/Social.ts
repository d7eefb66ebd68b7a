import type { CodeDue } from "#core/login/BrowserLogins"
import { html } from "#core/Html"
import type { Texts } from "../texts/en.ts"
import { type Field, type FieldError, form } from "./Fields.ts"
import { type Page, signs } from "./Layout.ts"
import type { Trouble } from "./Notice.ts"

/** A way out of a trouble, if there is one. */
interface Way {
  readonly href: string | undefined
  readonly label: string
}

/** Why a login has come to nothing, and where it can be tried again. `lead`: what is known besides. */
export const stranded = (texts: Texts, why: Trouble, status: number, way?: Way, lead?: string): Page => {
  const said = texts.problems[why]
  const link = way?.href === undefined ? undefined : html`<p><a href="${way.href}">${way.label}</a></p>`
  return {
    status,
    title: said.title,
    sign: signs.wait,
    content: html`<p>${lead ?? said.lead}</p>
${link}
<p class="soft">${texts.social.elsewhere}</p>`
  }
}

/** Asks for the code that a login waits for. `next`: where the app takes over. */
export const codePage = (
  texts: Texts,
  { login, returnTo, invitation }: CodeDue,
  next: string | undefined,
  errors: ReadonlyArray<FieldError> = []
): Page => {
  const { code: title, codeLead, codeHint: hint } = texts.invitation
  const fields: ReadonlyArray<Field> = [
    { name: "code", label: texts.form.code, type: "text", autocomplete: "one-time-code", hint, numeric: true }
  ]
  const hidden = {
    login,
    ...(returnTo === null ? {} : { redirect_uri: returnTo }),
    ...(invitation === undefined ? {} : { invitation })
  }
  return {
    status: 200,
    title,
    refused: errors.length > 0,
    content: html`<p>${codeLead}</p>
${form(texts, { page: "code", hidden, fields, button: texts.social.codeButton }, errors)}`,
    ...(next === undefined ? {} : { next })
  }
}

import { html } from "#core/Html"
import { name } from "../Name.ts"
import type { Visit } from "../Reader.ts"
import { type FieldError, form } from "./Fields.ts"
import type { Page } from "./Layout.ts"
import { done } from "./Notice.ts"

/** Asks for the confirmation of an address. */
export const verifyPage = (
  { texts, realm, carried }: Visit,
  token: string,
  email: string,
  errors: ReadonlyArray<FieldError> = []
): Page => {
  const { title, lead, button, otherwise } = texts.verify
  return {
    status: 200,
    title,
    refused: errors.length > 0,
    content: html`<p>${lead(name(email), name(realm.name))}</p>
${form(texts, { page: "verify", hidden: { ...carried, token }, fields: [], button }, errors)}
<p class="part soft">${otherwise}</p>`
  }
}

export const verifiedPage = (visit: Visit, email: string): Page => {
  const { done: title, doneLead } = visit.texts.verify
  return done(visit, title, [doneLead(name(email), name(visit.realm.name))])
}

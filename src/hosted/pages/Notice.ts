import { type Html, html } from "#core/Html"
import type { Texts } from "../texts/en.ts"
import { type Page, signs } from "./Layout.ts"

/** Why there is nothing to be done here: what happened, and what to do about it. */
export type Trouble = keyof Texts["problems"]

export const troubled = ({ problems }: Texts, why: Trouble, status: number, retryAfterSeconds?: number): Page => {
  const { title, lead, todo } = problems[why]
  return {
    status,
    title,
    sign: signs.wait,
    content: html`<p>${lead}</p>
<p>${todo}</p>`,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
  }
}

/** What went well. */
export const done = ({ close }: Texts, title: string, leads: ReadonlyArray<Html>): Page => ({
  status: 200,
  title,
  sign: signs.good,
  content: html`${leads.map(
    (lead) => html`<p>${lead}</p>
`
  )}<p class="soft">${close}</p>`
})

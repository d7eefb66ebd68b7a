import { type Html, html } from "#platform/Html"
import type { Reader } from "../PageContext.ts"
import type { Texts } from "../texts/en.ts"
import { type Page, signs } from "./Document.ts"
import { address, goTo } from "./Fields.ts"

/** Why there is nothing to be done here: what happened, and what to do about it. */
export type Trouble = keyof Texts["problems"]

const notice = (status: number, title: string, lead: string, todo: string): Page => ({
  status,
  title,
  sign: signs.wait,
  content: html`<p>${lead}</p>
<p>${todo}</p>`
})

export const troubled = ({ problems }: Texts, why: Trouble, status: number, retryAfterSeconds?: number): Page => {
  const { title, lead, todo } = problems[why]
  const page = notice(status, title, lead, todo)
  return retryAfterSeconds === undefined ? page : { ...page, retryAfterSeconds }
}

/** Met by who asks more often than anybody may. */
export const tooMany = ({ tooMany: said }: Texts, retryAfterSeconds: number): Page => ({
  ...notice(429, said.title, said.lead(Math.max(1, Math.ceil(retryAfterSeconds / 60))), said.todo),
  retryAfterSeconds
})

/** What went well: on the host of an app, with the way to log in. */
export const done = ({ texts, app, carried }: Reader, title: string, leads: ReadonlyArray<Html>): Page => ({
  status: 200,
  title,
  sign: signs.good,
  content: html`${leads.map(
    (lead) => html`<p>${lead}</p>
`
  )}${app === undefined ? html`<p class="soft">${texts.close}</p>` : goTo(address("login", carried), texts.login.button)}`
})

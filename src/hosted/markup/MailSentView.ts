import { html } from "#platform/Html"
import type { AppVisit } from "../PageContext.ts"
import { type Page, signs } from "./Document.ts"
import { address, type Carried, wayTo } from "./Fields.ts"
import { name } from "./UserText.ts"

/** What a mail is on its way for, and to whom. */
export interface SentMail {
  readonly carried: Carried
  readonly kind: "forgot" | "preverify" | "request" | "verification"
  /** What was typed: of `forgot` nobody learns here whether anybody has it. */
  readonly to: string
}

const pages = { forgot: "forgot", preverify: "signup" } as const

/** Tells that the next step is in the mail. */
export const sentPage = ({ texts }: AppVisit, { carried, kind, to }: SentMail): Page => {
  const { sent: said } = texts
  const asked = kind === "request"
  const lead = asked ? said.requestLead : said[kind]
  const again = kind === "forgot" || kind === "preverify" ? address(pages[kind], carried) : undefined
  return {
    status: 200,
    title: asked ? said.request : said.title,
    sign: asked ? signs.good : signs.mail,
    content: html`<p>${lead(name(to))}</p>
${!asked && html`<p class="soft">${said.missing}</p>`}
<div class="part">
${again !== undefined && wayTo(again, said.again)}
${wayTo(address("login", carried), texts.login.back)}
</div>`
  }
}

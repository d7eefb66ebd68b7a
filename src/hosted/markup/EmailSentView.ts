import { html } from "#platform/Html"
import { type FlowParams, pageUrl } from "../FlowParams.ts"
import type { AppPageContext } from "../PageContext.ts"
import { icons, type View } from "./Document.ts"
import { linkLine } from "./Links.ts"
import { clientName, userText } from "./UserText.ts"

/** A sent email. */
export interface SentEmail {
  readonly flow: FlowParams
  readonly kind: "forgot" | "preverify" | "request" | "verification"
  /** The address as typed. After `forgot`, the view doesn't reveal whether an account uses it. */
  readonly to: string
}

const pages = { forgot: "forgot", preverify: "signup" } as const

/** Tells the user to continue with the link in an email. */
export const emailSentView = ({ texts, client }: AppPageContext, { flow, kind, to }: SentEmail): View => {
  const { sent } = texts
  const isRequest = kind === "request"
  const lead = isRequest ? sent.requestLead : sent[kind]
  const retryUrl = kind === "forgot" || kind === "preverify" ? pageUrl(pages[kind], flow) : undefined
  return {
    status: 200,
    title: isRequest ? sent.request : sent.title,
    icon: isRequest ? icons.success : icons.mail,
    hasMail: !isRequest,
    content: html`<p>${lead(userText(to))}${!isRequest && client !== undefined && html` ${texts.authorize.sameBrowser(clientName(client))}`}</p>
${!isRequest && html`<p class="soft">${sent.missing}</p>`}
<div class="part">
${retryUrl !== undefined && linkLine(retryUrl, sent.again)}
${linkLine(pageUrl("login", flow), texts.login.back)}
</div>`
  }
}

import { HttpServerResponse } from "effect/http"
import { codesIn, linksIn } from "#core/mail/MailParts"
import type { KeptMail } from "#domain/Mail"
import { type Html, html } from "#platform/Html"
import { moment } from "./Moment.ts"
import { page } from "./Page.ts"
import type { Words } from "./Words.ts"

const views = ["html", "text", "source"] as const

type View = (typeof views)[number]

/** What a mail's own markup may do: popups, so that its links open beside the mailbox; no scripts, forms or origin. */
const SANDBOX = "allow-popups allow-popups-to-escape-sandbox"

/** Its styles and pictures show; it runs nothing, sends nothing and is framed by the mailbox only. */
const framePolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src data: https:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  `sandbox ${SANDBOX}`
].join("; ")

/** The views that a mail has. */
const viewsOf = (mail: KeptMail): ReadonlyArray<View> =>
  views.filter((view) => view === "source" || mail[view] !== null)

const tabs = (words: Words, mail: KeptMail, current: View): Html =>
  html`<nav class="tabs">${viewsOf(mail).map((view) =>
    view === current
      ? html`<a href="/mailbox/${mail.id}?view=${view}" aria-current="page">${words[view]}</a>`
      : html`<a href="/mailbox/${mail.id}?view=${view}">${words[view]}</a>`
  )}<a href="/v2/test/messages/${mail.id}">${words.asJson}</a></nav>`

const content = (words: Words, mail: KeptMail, view: View): Html =>
  view === "html"
    ? html`<iframe src="/mailbox/${mail.id}/html" sandbox="${SANDBOX}" referrerpolicy="no-referrer" title="${words.html}"></iframe>`
    : html`<pre dir="auto">${mail[view] ?? ""}</pre>`

/** What a reader wants to copy. */
const parts = (words: Words, mail: KeptMail): Html => {
  const [links, codes] = [linksIn(mail), codesIn(mail)]
  if (links.length + codes.length === 0) return html``
  const linkList = links.map(
    (link) => html`<li><a href="${link}" target="_blank" rel="noopener noreferrer">${link}</a></li>`
  )
  const codeList = codes.map((code) => html`<li><code>${code}</code></li>`)
  return html`<section class="parts">${codes.length > 0 && html`<div><h2>${words.codes}</h2><ul>${codeList}</ul></div>`}
${links.length > 0 && html`<div><h2>${words.links}</h2><ul>${linkList}</ul></div>`}</section>`
}

/** One mail. `asked`: how it is to be shown. */
export const mailPage = (words: Words, mail: KeptMail, asked: string | undefined) => {
  const available = viewsOf(mail)
  const view = available.find((each) => each === asked) ?? available[0] ?? "source"
  const { name, address } = mail.from
  return page(
    words,
    mail.subject || words.noSubject,
    html`<p><a href="/mailbox">← ${words.mailbox}</a></p>
<h1 dir="auto">${mail.subject || words.noSubject}</h1>
<dl><dt>${words.from}</dt><dd>${name !== null && html`<bdi>${name}</bdi> `}${name === null ? address : `<${address}>`}</dd>
<dt>${words.to}</dt><dd><bdi>${mail.to}</bdi></dd>
<dt>${words.sent}</dt><dd>${moment(words, mail.createdAt)}</dd>
<dt>${words.realm}</dt><dd>${mail.realmId}</dd></dl>
${parts(words, mail)}
${tabs(words, mail, view)}
${content(words, mail, view)}`
  )
}

/** Where a mail was that is not here any more. */
export const noMailPage = (words: Words) =>
  page(
    words,
    words.gone,
    html`<section class="empty"><h1>${words.gone}</h1><p>${words.whyGone}</p><p><a href="/mailbox">${words.all}</a></p></section>`,
    404
  )

/** A mail's own markup, for the frame: its links open beside the mailbox. */
export const mailFrame = (markup: string) => {
  const start = /^\s*<!doctype[^>]*>/i.exec(markup)?.[0] ?? ""
  return HttpServerResponse.text(`${start}<base target="_blank">${markup.slice(start.length)}`, {
    contentType: "text/html; charset=utf-8",
    headers: { "content-security-policy": framePolicy }
  })
}

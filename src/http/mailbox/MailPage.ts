import { HttpServerResponse } from "effect/http"
import { extractCodes, extractLinks } from "#core/mail/MailParts"
import { withTheme } from "#domain/FixedTheme"
import type { StoredMail } from "#domain/Mail"
import type { ThemeName } from "#domain/PageThemes"
import { type Html, html } from "#platform/Html"
import { page, type Reader } from "./Page.ts"
import type { Texts } from "./Texts.ts"
import { timeElement } from "./TimeElement.ts"

const views = ["html", "text", "source"] as const

type View = (typeof views)[number]

/** The sandbox permissions of an email's HTML. Links open in a new tab. Scripts and forms are not allowed, and the document has no origin. */
const SANDBOX = "allow-popups allow-popups-to-escape-sandbox"

/**
 * The content security policy of an email: its styles and the logos of apps are shown, other images, scripts and forms are
 * blocked, and only the mailbox can frame it. `logos`: the origins of all apps.
 */
const framePolicy = (logos: string): string =>
  [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src data: ${logos}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    `sandbox ${SANDBOX}`
  ].join("; ")

/** How the HTML of an email is shown. */
interface Look {
  readonly width: "desktop" | "phone"
  readonly theme: ThemeName
}

/** The look named in the query of a page. */
export const lookOf = ({ width, theme }: { readonly width?: string; readonly theme?: string }): Look => ({
  width: width === "phone" ? "phone" : "desktop",
  theme: theme === "dark" ? "dark" : "light"
})

/** The links that change the width and the theme. */
const lookLinks = (texts: Texts, { id }: StoredMail, look: Look): Html => {
  const link = (text: string, changed: Partial<Look>) => {
    const { width, theme } = { ...look, ...changed }
    const isCurrent = width === look.width && theme === look.theme
    return html`<a href="/mailbox/${id}?view=html&amp;width=${width}&amp;theme=${theme}"${isCurrent && html` aria-current="true"`}>${text}</a>`
  }
  return html`<nav class="looks" aria-label="${texts.look}"><span>${link(texts.desktop, { width: "desktop" })}${link(texts.phone, { width: "phone" })}</span>
<span>${link(texts.light, { theme: "light" })}${link(texts.dark, { theme: "dark" })}</span></nav>`
}

/** The views of an email. */
const viewsOf = (mail: StoredMail): ReadonlyArray<View> =>
  views.filter((view) => view === "source" || mail[view] !== null)

const tabs = (texts: Texts, mail: StoredMail, current: View): Html =>
  html`<nav class="tabs">${viewsOf(mail).map((view) =>
    view === current
      ? html`<a href="/mailbox/${mail.id}?view=${view}" aria-current="page">${texts[view]}</a>`
      : html`<a href="/mailbox/${mail.id}?view=${view}">${texts[view]}</a>`
  )}<a href="/v2/test/messages/${mail.id}">${texts.asJson}</a></nav>`

const content = (texts: Texts, mail: StoredMail, view: View, look: Look): Html =>
  view === "html"
    ? html`${lookLinks(texts, mail, look)}<iframe class="${look.width}" src="/mailbox/${mail.id}/html?theme=${look.theme}" sandbox="${SANDBOX}" referrerpolicy="no-referrer" title="${texts.html}"></iframe>`
    : html`<pre dir="auto">${mail[view] ?? ""}</pre>`

/** The codes and links of an email, ready to copy. */
const parts = (texts: Texts, mail: StoredMail): Html => {
  const [links, codes] = [extractLinks(mail), extractCodes(mail)]
  if (links.length + codes.length === 0) return html``
  const linkList = links.map(
    (link) => html`<li><a href="${link}" target="_blank" rel="noopener noreferrer">${link}</a></li>`
  )
  const codeList = codes.map((code) => html`<li><code>${code}</code></li>`)
  return html`<section class="parts">${codes.length > 0 && html`<div><h2>${texts.codes}</h2><ul>${codeList}</ul></div>`}
${links.length > 0 && html`<div><h2>${texts.links}</h2><ul>${linkList}</ul></div>`}</section>`
}

/** The page of an email. `requested` is the view named in the query. */
export const mailPage = (reader: Reader, mail: StoredMail, requested: string | undefined, look: Look) => {
  const { texts } = reader
  const available = viewsOf(mail)
  const view = available.find((each) => each === requested) ?? available[0] ?? "source"
  const { name, address } = mail.from
  return page(
    reader,
    mail.subject || texts.noSubject,
    html`<p><a href="/mailbox">← ${texts.mailbox}</a></p>
<h1 dir="auto">${mail.subject || texts.noSubject}</h1>
<dl><dt>${texts.from}</dt><dd>${name !== null && html`<bdi>${name}</bdi> `}${name === null ? address : `<${address}>`}</dd>
<dt>${texts.to}</dt><dd><bdi>${mail.to}</bdi></dd>
<dt>${texts.sent}</dt><dd>${timeElement(texts, mail.createdAt)}</dd>
<dt>${texts.realm}</dt><dd>${mail.realmId}</dd></dl>
${parts(texts, mail)}
${tabs(texts, mail, view)}
${content(texts, mail, view, look)}`
  )
}

/** The page shown if an email does not exist or was deleted. */
export const noMailPage = (reader: Reader) => {
  const { texts } = reader
  return page(
    reader,
    texts.gone,
    html`<section class="empty"><h1>${texts.gone}</h1><p>${texts.goneReason}</p><p><a href="/mailbox">${texts.all}</a></p></section>`,
    404
  )
}

/**
 * The HTML of an email in a theme, for the frame on the email's page. Links open in a new tab. `logos`: the origins of all
 * apps.
 */
export const mailFrame = (mail: string, theme: ThemeName, logos: string) => {
  const markup = withTheme(mail, theme)
  const start = /^\s*<!doctype[^>]*>/i.exec(markup)?.[0] ?? ""
  return HttpServerResponse.text(`${start}<base target="_blank">${markup.slice(start.length)}`, {
    contentType: "text/html; charset=utf-8",
    headers: { "content-security-policy": framePolicy(logos) }
  })
}

import type { StoredMail } from "#domain/Mail"
import type { Page } from "#domain/Page"
import { type Html, html } from "#platform/Html"
import { page, type Reader } from "./Page.ts"
import type { Texts } from "./Texts.ts"
import { timeElement } from "./TimeElement.ts"

/** The emails to list. `to` is a part of the recipient's address, or blank for all emails. */
export interface ListQuery {
  readonly to: string
  readonly after: string | undefined
}

const addressOf = (query: ListQuery): string => {
  const params = new URLSearchParams()
  if (query.to !== "") params.set("to", query.to)
  if (query.after !== undefined) params.set("after", query.after)
  return params.size === 0 ? "/mailbox" : `/mailbox?${params.toString()}`
}

const row = (texts: Texts, mail: StoredMail): Html => html`<li><a href="/mailbox/${mail.id}">
<strong dir="auto">${mail.subject || texts.noSubject}</strong>
${timeElement(texts, mail.createdAt)}
<span class="who"><span>${texts.to} <b><bdi>${mail.to}</bdi></b></span> <span>${texts.from} <bdi>${mail.from.name ?? mail.from.address}</bdi></span></span>
</a></li>
`

const example = `POST /v2/users
{"user": {"email": "jo@example.test", "credentials": [], "email_verification": "requested"}}`

const empty = (texts: Texts, { to }: ListQuery): Html =>
  to === ""
    ? html`<section class="empty"><h2>${texts.none}</h2><p>${texts.emptyHint}</p><pre>${example}</pre><p>${texts.mailServerHint}</p></section>`
    : html`<section class="empty"><h2 dir="auto">${texts.noneTo(to)}</h2><p><a href="/mailbox">${texts.all}</a></p></section>`

const list = (texts: Texts, query: ListQuery, { items, more }: Page<StoredMail>): Html => {
  const older = more && html`<a href="${addressOf({ ...query, after: items.at(-1)?.id })}">${texts.older}</a>`
  const newest =
    query.after !== undefined && html`<a href="${addressOf({ ...query, after: undefined })}">${texts.newest}</a>`
  return html`<ol class="mails">${items.map((mail) => row(texts, mail))}</ol>
<nav class="pages">${newest}<span></span>${older}</nav>`
}

/** The page that lists emails, newest first. */
export const listPage = (reader: Reader, query: ListQuery, mails: Page<StoredMail>) => {
  const { texts } = reader
  return page(
    reader,
    texts.mailbox,
    html`<div class="bar"><h1>${texts.mailbox}</h1>
<form action="/mailbox" role="search"><input type="search" name="to" value="${query.to}" aria-label="${texts.recipient}" placeholder="${texts.recipient}" maxlength="254" autocapitalize="none" spellcheck="false"><button>${texts.filter}</button></form></div>
${mails.items.length === 0 ? empty(texts, query) : list(texts, query, mails)}`
  )
}

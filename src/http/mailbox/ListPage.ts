import type { KeptMail } from "#domain/Mail"
import type { Page } from "#domain/Page"
import { type Html, html } from "#platform/Html"
import { moment } from "./Moment.ts"
import { page } from "./Page.ts"
import type { Words } from "./Words.ts"

/** Which mails the page was asked for. `to`: a part of their recipient's address, or blank. */
export interface ListAsked {
  readonly to: string
  readonly after: string | undefined
}

const addressOf = (asked: ListAsked): string => {
  const query = new URLSearchParams()
  if (asked.to !== "") query.set("to", asked.to)
  if (asked.after !== undefined) query.set("after", asked.after)
  return query.size === 0 ? "/mailbox" : `/mailbox?${query.toString()}`
}

const row = (words: Words, mail: KeptMail): Html => html`<li><a href="/mailbox/${mail.id}">
<strong dir="auto">${mail.subject || words.noSubject}</strong>
${moment(words, mail.createdAt)}
<span class="who"><span>${words.to} <b><bdi>${mail.to}</bdi></b></span> <span>${words.from} <bdi>${mail.from.name ?? mail.from.address}</bdi></span></span>
</a></li>
`

const example = `POST /v2/users
{"user": {"email": "jo@example.test", "credentials": [], "email_verification": "requested"}}`

const empty = (words: Words, { to }: ListAsked): Html =>
  to === ""
    ? html`<section class="empty"><h2>${words.none}</h2><p>${words.howItComes}</p><pre>${example}</pre><p>${words.howItLeaves}</p></section>`
    : html`<section class="empty"><h2 dir="auto">${words.noneTo(to)}</h2><p><a href="/mailbox">${words.all}</a></p></section>`

const list = (words: Words, asked: ListAsked, { items, more }: Page<KeptMail>): Html => {
  const older = more && html`<a href="${addressOf({ ...asked, after: items.at(-1)?.id })}">${words.older}</a>`
  const newest =
    asked.after !== undefined && html`<a href="${addressOf({ ...asked, after: undefined })}">${words.newest}</a>`
  return html`<ol class="mails">${items.map((mail) => row(words, mail))}</ol>
<nav class="pages">${newest}<span></span>${older}</nav>`
}

/** The mails, the newest first. */
export const listPage = (words: Words, asked: ListAsked, mails: Page<KeptMail>) =>
  page(
    words,
    words.mailbox,
    html`<div class="bar"><h1>${words.mailbox}</h1>
<form action="/mailbox" role="search"><input type="search" name="to" value="${asked.to}" aria-label="${words.recipient}" placeholder="${words.recipient}" maxlength="254" autocapitalize="none" spellcheck="false"><button>${words.filter}</button></form></div>
${mails.items.length === 0 ? empty(words, asked) : list(words, asked, mails)}`
  )

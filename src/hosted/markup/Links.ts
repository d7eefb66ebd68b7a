import { type Html, html } from "#platform/Html"

/** A link to another page, on a line of its own. */
export const linkLine = (href: string, label: string | Html, question?: string): Html =>
  html`<p class="way">${question !== undefined && html`${question} `}<a href="${href}">${label}</a></p>`

/** The link to the page that comes next, which looks like a button. */
export const primaryLink = (href: string, label: string): Html =>
  html`<p><a class="choice go" href="${href}">${label}</a></p>`

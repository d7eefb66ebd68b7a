import { type Html, html } from "#platform/Html"

/** A name that somebody chose, set off from our own words and from the direction they are written in. */
export const name = (text: string): Html => html`<bdi class="name">${text}</bdi>`

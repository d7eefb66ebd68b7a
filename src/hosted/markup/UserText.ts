import type { OAuthClient } from "#domain/clients/OAuthClient"
import { type Html, html } from "#platform/Html"

/** Text chosen by a user. Its style and direction are isolated from the page's own text. */
export const userText = (text: string): Html => html`<bdi class="name">${text}</bdi>`

/** The name of an OAuth client, as shown to users. */
export const clientName = ({ appearance, name }: Pick<OAuthClient, "appearance" | "name">): Html =>
  userText(appearance.name ?? name)

import type { OAuthClient } from "#domain/clients/OAuthClient"
import { type Html, html } from "#platform/Html"

/** Text that a user chose, set apart from our own words and from the direction they are written in. */
export const userText = (text: string): Html => html`<bdi class="name">${text}</bdi>`

/** The name that people know an OAuth client by. */
export const clientName = ({ appearance, name }: Pick<OAuthClient, "appearance" | "name">): Html =>
  userText(appearance.name ?? name)

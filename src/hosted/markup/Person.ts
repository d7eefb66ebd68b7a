import type { User } from "#domain/User"
import { type Html, html } from "#platform/Html"
import { initialOf } from "./Document.ts"
import { userText } from "./UserText.ts"

/** Shows the user whose login a page continues: the name, and the email or username. */
export const personMarkup = ({ name, email, username }: Pick<User, "name" | "email" | "username">): Html => {
  const address = email ?? username
  return html`<div class="person"><span aria-hidden="true">${initialOf(name)}</span><p>${userText(name)}${
    address !== null && address !== name && html`<br><bdi class="soft">${address}</bdi>`
  }</p></div>`
}

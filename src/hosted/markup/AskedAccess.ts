import { type StandardScope, standardScopes } from "#domain/clients/OAuthScope"
import { type Html, html } from "#platform/Html"
import type { Texts } from "../texts/en.ts"
import { userText } from "./UserText.ts"

/** The access that an OAuth client requests. */
interface AskedAccess {
  readonly scopes: ReadonlyArray<string>
  readonly resources: ReadonlyArray<string>
}

const isStandard = (scope: string): scope is StandardScope => standardScopes.some((one) => one === scope)

/** Lists the access that an OAuth client requests, in words. */
export const askedAccess = ({ authorize: copy }: Texts, { scopes, resources }: AskedAccess): Html => {
  const lines = [
    ...scopes.map((scope) => (isStandard(scope) ? html`${copy.scopes[scope]}` : copy.ownScope(userText(scope)))),
    ...resources.map((resource) => copy.resource(userText(resource)))
  ]
  return html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`
}

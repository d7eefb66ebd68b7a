import { type StandardScope, standardScopes } from "#domain/clients/OAuthScope"
import { type Html, html } from "#platform/Html"
import type { Texts } from "../texts/en.ts"
import { userText } from "./UserText.ts"

/** The access that an OAuth client requests. */
interface RequestedAccess {
  readonly scopes: ReadonlyArray<string>
  readonly resources: ReadonlyArray<string>
}

const isStandard = (scope: string): scope is StandardScope => standardScopes.some((one) => one === scope)

/** Describes the access that an OAuth client requests as a list. */
export const requestedAccess = ({ authorize: copy }: Texts, { scopes, resources }: RequestedAccess): Html => {
  const lines = [
    ...scopes.map((scope) => (isStandard(scope) ? html`${copy.scopes[scope]}` : copy.ownScope(userText(scope)))),
    ...resources.map((resource) => copy.resource(userText(resource)))
  ]
  return html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`
}

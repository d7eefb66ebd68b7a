import type { AcceptedPasskeys } from "#core/account/AccountPasskeys"
import type { User } from "#domain/User"
import { usesUsernames } from "#domain/User"
import { type Html, html } from "#platform/Html"
import { pageUrl } from "../../FlowParams.ts"
import type { View } from "../../markup/Document.ts"
import { acceptedSignals } from "../../markup/PasskeySignals.ts"
import { userText } from "../../markup/UserText.ts"
import type { AppPageContext } from "../../PageContext.ts"
import { accountFooter, accountTabs, savedNote } from "../account/AccountParts.ts"

/** The state of the security page. */
export interface SecurityState {
  readonly user: User
  /** The change that was just saved, as named in the URL. */
  readonly saved: string | undefined
  readonly sections: ReadonlyArray<Html | undefined>
  readonly hasErrors: boolean
  /** Undefined if the realm doesn't support passkeys. */
  readonly passkeys?: AcceptedPasskeys | undefined
}

/** The section with the login names. It links to the profile, where users change them. */
const namesSection = ({ texts, realm, flow }: AppPageContext, user: User): Html => {
  const { security: copy, form, signup } = texts
  const row = (label: string, value: string | null) =>
    value === null ? undefined : html`<div><dt>${label}</dt><dd>${userText(value)}</dd></div>`
  return html`<section aria-labelledby="names">
<h2 id="names">${copy.names}</h2>
<dl class="rows">${row(form.email, user.email)}${usesUsernames(realm, "human") && row(signup.username, user.username)}</dl>
<p class="way"><a href="${pageUrl("profile", flow)}">${copy.changeNames}</a></p>
</section>`
}

/** Shows users how and where they log in, with forms for making changes. */
export const securityView = (
  context: AppPageContext,
  { user, saved, sections, hasErrors, passkeys }: SecurityState
): View => {
  const { security: copy } = context.texts
  return {
    status: 200,
    title: copy.title,
    above: accountTabs(context, "security"),
    hasErrors,
    passkeys: passkeys && {},
    content: html`${savedNote(copy.saved, saved)}
${namesSection(context, user)}
${sections.filter((section) => section !== undefined)}
${passkeys && acceptedSignals(passkeys)}${accountFooter(context)}`
  }
}

import type { JoinDetails, PendingJoin, PendingSocialLogin, SocialLoginStart } from "#core/hosted/SocialLogin"
import { brandNameOf } from "#domain/ConnectedApp"
import type { User } from "#domain/User"
import { html } from "#platform/Html"
import { type FlowParams, flowParamsOf } from "../../FlowParams.ts"
import { type View, withRedirectTarget } from "../../markup/Document.ts"
import { type FieldErrors, formMarkup } from "../../markup/Fields.ts"
import { mfaCodeView, type SecondStep } from "../../markup/MfaCodeView.ts"
import { userText } from "../../markup/UserText.ts"
import type { AppPageContext } from "../../PageContext.ts"
import type { Texts } from "../../texts/en.ts"

/** The parameters for continuing a login: the hosted page to return to, and the authorization request. Both are optional. */
export const continuationParams = ({ ownPage, authorization }: SocialLoginStart): FlowParams => ({
  ...(ownPage === null ? {} : { next: ownPage }),
  ...(authorization === null ? {} : { request: authorization })
})

/** A view whose forms lead to the app or to the client of an authorization request. */
const withFormTarget = (returnUrl: string | undefined, start: SocialLoginStart, view: View): View =>
  start.authorization === null ? withRedirectTarget(returnUrl, view) : { ...view, forms: "app" }

/** Asks for the second factor of a login with a provider. */
export const socialMfaView = (
  texts: Texts,
  { login, ...start }: PendingSocialLogin,
  factors: SecondStep,
  returnUrl: string | undefined,
  errors: FieldErrors = []
): View => {
  const { invitation, isInvitee } = start
  const flow = {
    ...flowParamsOf(start),
    ...continuationParams(start),
    ...(invitation === undefined ? {} : { invitation }),
    ...(isInvitee ? { invited: "true" } : {})
  }
  return withFormTarget(returnUrl, start, mfaCodeView({ texts }, { ...factors, page: "code", flow, login }, errors))
}

/** Asks a logged-in user whether to accept an invitation that was sent to a different email. */
export const joinView = (
  { texts, realm, app }: AppPageContext,
  { join, user, details }: { readonly join: PendingJoin; readonly user: User; readonly details: JoinDetails },
  returnUrl: string | undefined
): View => {
  const { social: copy, invitation } = texts
  const hidden = {
    ...flowParamsOf(join),
    ...continuationParams(join),
    invitation: join.invitation,
    user: user.id
  }
  const form = { page: "join", fields: [] }
  const org = details.org === undefined ? undefined : userText(details.org)
  const inviter = details.inviter === undefined ? undefined : userText(details.inviter)
  return withFormTarget(returnUrl, join, {
    status: 200,
    title: copy.join,
    content: html`<p>${invitation.lead({ realm: userText(brandNameOf({ realm, app })), org, inviter })}</p>
<p>${copy.joinLead(userText(user.email ?? user.name), userText(details.email))}</p>
${formMarkup(texts, { ...form, hidden: { ...hidden, way: "join" }, button: copy.joinButton }, [])}
${formMarkup(texts, { ...form, hidden: { ...hidden, way: "skip" }, button: copy.skipButton, quiet: true }, [])}`
  })
}

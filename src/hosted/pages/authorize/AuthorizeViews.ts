import { brandNameOf } from "#domain/ConnectedApp"
import type { AuthorizationRequest } from "#domain/oauth/AuthorizationRequest"
import { disclosedScopes } from "#domain/oauth/OAuthClaims"
import { displayTarget, isUnverifiable } from "#domain/oauth/RedirectUri"
import type { User } from "#domain/User"
import { type Html, html } from "#platform/Html"
import { type FlowParams, pageUrl } from "../../FlowParams.ts"
import type { View } from "../../markup/Document.ts"
import { formMarkup } from "../../markup/Fields.ts"
import { linkLine } from "../../markup/Links.ts"
import { logoPicture } from "../../markup/LogoPicture.ts"
import { requestedAccess } from "../../markup/RequestedAccess.ts"
import { clientName, userText } from "../../markup/UserText.ts"
import type { AppPageContext } from "../../PageContext.ts"
import type { Texts } from "../../texts/en.ts"

/** An authorization request and the logged-in user, for the views. */
interface ShownRequest {
  readonly flow: FlowParams
  readonly request: AuthorizationRequest
  readonly user: User
}

const accountName = ({ email, username, name }: User): string => email ?? username ?? name

const hiddenOf = ({ flow, user }: ShownRequest, way: string) => ({ ...flow, user: user.id, way })

const form = (texts: Texts, shown: ShownRequest, way: string, button: string, quiet = false): Html =>
  formMarkup(texts, { page: "authorize", hidden: hiddenOf(shown, way), fields: [], button, quiet }, [])

/** The link for logging in with another account. */
const otherAccount = ({ texts }: AppPageContext, { flow }: ShownRequest): Html => html`<div class="part">
${linkLine(pageUrl("login", { ...flow, way: "login" }), texts.authorize.other)}
</div>`

/** The logo of a client. The client's name follows below it. */
const clientLogo = ({ client }: AuthorizationRequest): Html | undefined => {
  const picture = logoPicture(client.appearance, "", client.id)
  return picture === undefined ? undefined : html`<p>${picture}</p>`
}

/** Asks which account to continue with. */
export const accountChoiceView = (context: AppPageContext, shown: ShownRequest): View => {
  const { authorize: copy } = context.texts
  const { user, request } = shown
  const name = accountName(user)
  return {
    status: 200,
    title: copy.chooseTitle,
    forms: "app",
    content: html`<p>${copy.chooseLead(clientName(request.client))}</p>
<ul class="choices"><li><form method="post" action="authorize">${Object.entries(hiddenOf(shown, "choose")).map(
      ([field, value]) => html`<input type="hidden" name="${field}" value="${value}">`
    )}<button type="submit" class="choice"><span><bdi>${user.name}</bdi>${name !== user.name && html` <span class="soft"><bdi>${name}</bdi></span>`}</span></button></form></li></ul>
${otherAccount(context, shown)}`
  }
}

/** Warns that a client registered itself, which means that anyone may have chosen its name (SEC-192). */
const selfRegistration = ({ authorize: copy }: Texts, { client: { registration } }: AuthorizationRequest) => {
  if (registration === null) return undefined
  const { documentUrl } = registration
  return html`<p class="note">${documentUrl === null ? copy.registeredItself : copy.comesFrom(userText(displayTarget(documentUrl)))}</p>`
}

/** Names the site that receives the access (the host of the redirect URI). */
const destination = ({ authorize: copy }: Texts, request: AuthorizationRequest): Html => {
  const place = userText(displayTarget(request.redirectUri))
  if (isUnverifiable(request)) return copy.toDevice(place)
  return request.client.registration === null ? copy.toSite(place) : copy.toUnverifiedSite(place)
}

/** Asks whether to grant a client the access that it requests. */
export const consentView = (context: AppPageContext, shown: ShownRequest): View => {
  const { texts } = context
  const { authorize: copy } = texts
  const { request, user } = shown
  const logo = clientLogo(request)
  return {
    status: 200,
    title: copy.consentTitle,
    forms: "app",
    hasLogo: logo !== undefined,
    content: html`${logo}<p>${copy.consentLead(clientName(request.client), userText(brandNameOf(context)))}</p>
${selfRegistration(texts, request)}
<p>${copy.scopesLead}</p>
${requestedAccess(texts, { scopes: disclosedScopes(request), resources: request.resources })}
<p>${copy.account(userText(accountName(user)))}</p>
<p class="soft">${destination(texts, request)}</p>
${form(texts, shown, "allow", copy.allow)}
${form(texts, shown, "deny", copy.deny, true)}
${otherAccount(context, shown)}`
  }
}

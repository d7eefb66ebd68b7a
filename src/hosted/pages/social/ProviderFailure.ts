import { Effect } from "effect"
import { formatMessage } from "#api/Messages"
import type { ExternalLoginRefused, StartedLogin } from "#domain/ExternalLogin"
import type { SocialStep } from "#domain/HostedPaths"
import { type Html, html } from "#platform/Html"
import { authorizationFlow, type FlowParams, flowParamsOf, pageUrl } from "../../FlowParams.ts"
import { type PageResult, showView } from "../../HostedPage.ts"
import { icons, type View } from "../../markup/Document.ts"
import { primaryLink, withBackToApp } from "../../markup/Links.ts"
import { type OfferedProvider, providerLinks, providerNameOf } from "../../markup/ProviderLinks.ts"
import type { AppPageContext } from "../../PageContext.ts"
import type { AppRequest } from "../../RequestShell.ts"
import { loginOffer } from "../login/LoginOffer.ts"

/** The login methods to show after a failure. */
interface OtherMethods {
  readonly passwords: boolean
  readonly passkeys: boolean
  readonly emailCodes: boolean
  readonly providers: ReadonlyArray<OfferedProvider>
}

const flowOf = ({ ownPage, authorization, ...target }: StartedLogin): FlowParams => ({
  ...flowParamsOf(target),
  ...(ownPage === null ? {} : { next: ownPage }),
  ...(authorization === null ? {} : authorizationFlow(authorization, null))
})

/** Links to the login methods other than the provider. `base` is the folder of the login page. */
const otherMethods = (
  { texts }: AppPageContext,
  { passwords, passkeys, emailCodes, providers }: OtherMethods,
  started: StartedLogin | undefined,
  base: string
): Html => {
  const { social: copy, emailCode } = texts
  const flow = started === undefined ? {} : flowOf(started)
  const link = (url: string, label: string) => html`<p><a class="choice" href="${base}${url}">${label}</a></p>`
  // An invitation is accepted by the login, so its page offers the methods.
  if (started?.invitation !== undefined) {
    return link(pageUrl("invitation", { token: started.invitation, way: "login" }, flowParamsOf(started)), copy.other)
  }
  const login = passwords ? copy.password : texts.passkeys.login
  return html`${(passwords || passkeys) && link(pageUrl("login", flow, { way: "login" }), login)}
${emailCodes && link(pageUrl("code", flow), emailCode.choose)}
${providerLinks(texts, providers, flow, base)}`
}

/** Explains why a login with a provider failed, with links for trying again and to the other login methods. */
export const providerFailureView = (
  context: AppPageContext,
  { problem, providerId, retryUrl, started }: ExternalLoginRefused,
  offer: OtherMethods,
  base = "../../"
): View => {
  const { texts, catalogue } = context
  const { social: copy, problems } = texts
  const failed = offer.providers.find(({ id }) => id === providerId)
  const name = providerNameOf(texts, failed ?? { id: providerId, providerType: "oauth2", name: null })
  const sentence = new Map(Object.entries(copy.failed)).get(problem.code)
  const others = { ...offer, providers: offer.providers.filter((one) => one !== failed) }
  const hasOthers = others.passwords || others.passkeys || others.emailCodes || others.providers.length > 0
  return {
    status: 422,
    title: problems.login_refused.title,
    icon: icons.problem,
    content: html`<p>${sentence?.(name, String(problem.params?.["error"] ?? "")) ?? formatMessage(catalogue, problem)}</p>
${retryUrl !== undefined && primaryLink(retryUrl, copy.retryAt(name))}
${hasOthers && html`${retryUrl !== undefined && html`<p class="or"><span>${texts.login.or}</span></p>`}${otherMethods(context, others, started, base)}`}`
  }
}

/** Returns a function that shows a failed login with a provider. */
export const providerFailure = Effect.gen(function* () {
  const offerOf = yield* loginOffer
  return (request: AppRequest, refusal: ExternalLoginRefused, step: SocialStep) =>
    Effect.map(offerOf(request), (offer): PageResult => {
      const { context } = request
      return showView(
        withBackToApp(context, providerFailureView(context, refusal, offer, step === "start" ? "../" : undefined))
      )
    })
})

import { Effect } from "effect"
import { AccountProofs } from "#core/account/AccountProofs"
import { SignInMethods } from "#core/account/SignInMethods"
import { AuthorizationUrls } from "#core/external/AuthorizationUrls"
import { ProviderLinks } from "#core/external/ProviderLinks"
import { isSocial } from "#domain/Credential"
import { withLogin } from "../../cookies/OAuthStateCookie.ts"
import { returnTargetOf } from "../../FlowParams.ts"
import { redirectTo, showView } from "../../HostedPage.ts"
import { type AccountAction, redirectToSavedOn } from "../account/AccountPage.ts"
import { linkRefusedView } from "../social/LinkRefusedView.ts"
import { linkView, providersSection } from "./ProvidersView.ts"
import type { SecuritySection } from "./SecuritySection.ts"

const redirectToSaved = redirectToSavedOn("security")

/** The section with the user's accounts at external providers. */
export const providers = Effect.gen(function* () {
  const proofs = yield* AccountProofs
  const methods = yield* SignInMethods
  const links = yield* ProviderLinks
  const urls = yield* AuthorizationUrls

  /** Shows a link to the provider. The state of the link is also in the browser's cookie (SEC-136). */
  const link: AccountAction = (request, browserUser, form) =>
    Effect.gen(function* () {
      yield* proofs.requireRecent(browserUser)
      const target = returnTargetOf(request.context.flow ?? {})
      const { provider, url, secret } = yield* links.start(request.app, browserUser.user, form("provider"), target)
      const view = linkView(request.context, provider, url)
      return { ...showView(view), oauthStates: withLogin(request, secret) }
    }).pipe(
      Effect.catchTags({
        AuthProviderNotFound: () => Effect.succeed(redirectTo(request, "security")),
        ExternalLoginRefused: (failure) => Effect.succeed(showView(linkRefusedView(request.context, failure)))
      })
    )

  const unlink: AccountAction = (request, browserUser, form) =>
    proofs.requireRecent(browserUser).pipe(
      Effect.andThen(methods.remove(browserUser.user, form("credential"), isSocial)),
      Effect.as(redirectToSaved(request, "unlinked")),
      Effect.catchTag("CredentialNotFound", () => Effect.succeed(redirectTo(request, "security")))
    )

  const section: SecuritySection = {
    show: Effect.fnUntraced(function* ({ context }, { user }, refused) {
      const active = yield* urls.providers
      const linked = (yield* methods.of(user)).flatMap((method) => {
        const { id, credentialType, authProviderId, providerName: name, isRemovable } = method
        if (!isSocial(credentialType) || authProviderId === null) return []
        return [{ id: authProviderId, providerType: credentialType, name, credential: id, isRemovable }]
      })
      const others = active.filter(({ id }) => linked.every((one) => one.id !== id))
      if (linked.length === 0 && others.length === 0) return undefined
      return providersSection(context, { linked, others }, refused?.errors ?? [])
    }),
    actions: { link, unlink }
  }
  return section
})

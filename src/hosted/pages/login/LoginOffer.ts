import { Effect } from "effect"
import { AuthorizationUrls } from "#core/external/AuthorizationUrls"
import { AuthProviders } from "#core/external/AuthProviders"
import { EmailCodes } from "#core/login/EmailCodes"
import { resolveSignupFlow } from "#domain/Signup"
import { LoginDomains } from "#platform/LoginDomains"
import type { AppRequest } from "../../RequestShell.ts"

/** The login methods that a realm and an app offer to all users. */
export const loginOffer = Effect.gen(function* () {
  const urls = yield* AuthorizationUrls
  const authProviders = yield* AuthProviders
  const emailCodes = yield* EmailCodes
  const domains = yield* LoginDomains
  return Effect.fnUntraced(function* ({ context: { realm }, app }: AppRequest) {
    const providers = yield* urls.providers
    const passwords = yield* Effect.orDie(authProviders.get("password"))
    const passkeys = yield* Effect.orDie(authProviders.get("passkey"))
    const way = resolveSignupFlow(realm, app)
    const signUp = way === "none" || way === "request" ? way : ("signup" as const)
    return {
      pages: domains.pages(app.subdomain),
      passwords: passwords.state === "active",
      emailCodes: yield* emailCodes.isEnabled,
      passkeys: passkeys.state === "active",
      providers: providers.map(({ id, providerType, name }) => ({ id, providerType, name })),
      signUp
    }
  })
})

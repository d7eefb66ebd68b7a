import { DateTime, Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import type { PagePreview } from "#core/apps/AppDrafts"
import { CurrentRealm } from "#domain/Realm"
import type { User } from "#domain/User"
import { IdGenerator } from "#platform/IdGenerator"
import { LoginDomains } from "#platform/LoginDomains"
import { appPageFailureView } from "../Errors.ts"
import { type AppPageContext, pageContext } from "../PageContext.ts"
import { loginOffer } from "../pages/login/LoginOffer.ts"
import { loginView } from "../pages/login/LoginView.ts"
import { profileView } from "../pages/profile/ProfileView.ts"
import { signupPage } from "../pages/signup/SignupPage.ts"
import type { AppRequest } from "../RequestShell.ts"
import { previewDocument } from "./PreviewDocument.ts"

/** The sample user shown on the profile page. */
const sampleUser: Omit<User, "id" | "realmId" | "createdAt"> = {
  userType: "human",
  state: "active",
  email: "ada@example.com",
  emailPending: null,
  emailVerification: "verified",
  provedEmail: "ada@example.com",
  username: "ada",
  firstName: "Ada",
  lastName: "Lovelace",
  name: "Ada Lovelace",
  locale: null,
  reference: null,
  custom: {},
  lastLoginAt: null
}

/** Renders pages with unsaved settings and the realm's actual login methods. */
export const pagePreviews = Effect.gen(function* () {
  const ids = yield* IdGenerator
  const domains = yield* LoginDomains
  const offerOf = yield* loginOffer
  const signup = yield* signupPage

  const loginOf = (request: AppRequest) =>
    Effect.map(offerOf(request), (offer) => loginView(request.context, { ...offer, flow: {}, origin: request.origin }))

  const signupOf = (request: AppRequest) =>
    signup.show(request).pipe(
      Effect.map((result) => ("view" in result ? result.view : undefined)),
      Effect.catch((failure) =>
        failure._tag === "SessionNotFound"
          ? Effect.succeed(undefined)
          : Effect.succeed(appPageFailureView(request.context, "signup", failure))
      ),
      Effect.flatMap((view) => (view === undefined ? loginOf(request) : Effect.succeed(view)))
    )

  const profileOf = Effect.fnUntraced(function* ({ app, context }: AppRequest) {
    const user: User = {
      ...sampleUser,
      id: yield* ids.make("user"),
      realmId: context.realm.id,
      createdAt: yield* DateTime.now
    }
    const asksPassword = true
    const mayInvite = app.allowInvitations && context.realm.orgMode === "multi_user"
    return profileView(context, {
      user,
      saved: undefined,
      asksPassword,
      hasSeveralOrgs: false,
      org: undefined,
      mayInvite
    })
  })

  const pages = { login: loginOf, signup: signupOf, profile: profileOf }

  return {
    render: Effect.fn("PagePreviews.render")(function* (preview: PagePreview) {
      const { app, locale, page } = preview
      const realm = yield* CurrentRealm
      const context: AppPageContext = { ...pageContext(locale, realm), app, flow: {} }
      const http = yield* HttpServerRequest.HttpServerRequest
      const origin = domains.origin(app.subdomain)
      const request: AppRequest = { http, app, context, origin, client: { ip: null, key: "" }, knownBrowser: [] }
      return previewDocument(context, yield* pages[page](request), preview)
    })
  }
})

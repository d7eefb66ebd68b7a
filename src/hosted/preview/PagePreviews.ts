import { DateTime, Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import type { PagePreview } from "#core/apps/AppDrafts"
import { Signups } from "#core/hosted/Signups"
import type { PreviewedPage } from "#domain/PreviewedPage"
import { CurrentRealm } from "#domain/Realm"
import type { User } from "#domain/User"
import { IdGenerator } from "#platform/IdGenerator"
import { LoginDomains } from "#platform/LoginDomains"
import { appPageFailureView } from "../Errors.ts"
import { type AppPageContext, pageContext } from "../PageContext.ts"
import { loginOffer } from "../pages/login/LoginOffer.ts"
import { loginView } from "../pages/login/LoginView.ts"
import { signupPage } from "../pages/signup/SignupPage.ts"
import type { AppRequest } from "../RequestShell.ts"
import { previewDocument } from "./PreviewDocument.ts"
import { type Sample, samplePages } from "./SamplePages.ts"

/** The sample user of the pages. */
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
  lastLoginAt: null,
  deletionAt: null
}

/** Renders pages with unsaved settings and the realm's actual login methods. */
export const pagePreviews = Effect.gen(function* () {
  const ids = yield* IdGenerator
  const domains = yield* LoginDomains
  const offerOf = yield* loginOffer
  const signup = yield* signupPage
  const signups = yield* Signups

  const loginOf = (request: AppRequest) =>
    Effect.map(offerOf(request), (offer) => loginView(request.context, { ...offer, flow: {} }))

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

  const sampleOf = Effect.fnUntraced(function* ({ context }: AppRequest) {
    const user: User = {
      ...sampleUser,
      id: yield* ids.make("user"),
      realmId: context.realm.id,
      createdAt: yield* DateTime.now
    }
    const sample: Sample = { context, user, passwordRequirements: yield* signups.passwordRequirements }
    return sample
  })

  const viewOf = (request: AppRequest, page: PreviewedPage) => {
    if (page === "login") return loginOf(request)
    if (page === "signup") return signupOf(request)
    return Effect.map(sampleOf(request), samplePages[page])
  }

  return {
    render: Effect.fn("PagePreviews.render")(function* (preview: PagePreview) {
      const { app, locale, page } = preview
      const realm = yield* CurrentRealm
      const context: AppPageContext = { ...pageContext(locale, realm), app, flow: {} }
      const http = yield* HttpServerRequest.HttpServerRequest
      const origin = domains.origin(app.subdomain)
      const request: AppRequest = { http, app, context, origin, client: { ip: null, key: "" }, knownBrowser: [] }
      return previewDocument(context, yield* viewOf(request, page), preview)
    })
  }
})

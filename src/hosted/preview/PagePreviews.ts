import { DateTime, Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import type { PagePreview } from "#core/apps/AppDrafts"
import { Signups } from "#core/hosted/Signups"
import { WrongPassword } from "#domain/Login"
import type { PreviewedPage } from "#domain/PreviewedPage"
import { CurrentRealm } from "#domain/Realm"
import { LoginDomains } from "#platform/LoginDomains"
import { appPageFailureView, formRefusalOf } from "../Errors.ts"
import { type AppPageContext, pageContext } from "../PageContext.ts"
import { loginOffer } from "../pages/login/LoginOffer.ts"
import { loginView } from "../pages/login/LoginView.ts"
import { signupPage } from "../pages/signup/SignupPage.ts"
import type { AppRequest } from "../RequestShell.ts"
import { previewDocument } from "./PreviewDocument.ts"
import { sampleData } from "./SampleData.ts"
import { SAMPLE_EMAIL, samplePages } from "./SamplePages.ts"

/** Renders pages with unsaved settings and the realm's actual login methods. */
export const pagePreviews = Effect.gen(function* () {
  const domains = yield* LoginDomains
  const offerOf = yield* loginOffer
  const signup = yield* signupPage
  const signups = yield* Signups

  const loginOf = (request: AppRequest) =>
    Effect.map(offerOf(request), (offer) => loginView(request.context, { ...offer, flow: {} }))

  const failedLoginOf = (request: AppRequest) =>
    Effect.map(offerOf(request), (offer) => {
      const { errors } = formRefusalOf(request.context, new WrongPassword({ reason: "wrong_password" }))
      return loginView(request.context, { ...offer, flow: {}, name: SAMPLE_EMAIL }, errors)
    })

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

  const sampleOf = ({ context }: AppRequest) =>
    Effect.zipWith(signups.passwordRequirements, DateTime.now, (requirements, now) =>
      sampleData(context, requirements, now)
    )

  const viewOf = (request: AppRequest, page: PreviewedPage) => {
    if (page === "login") return loginOf(request)
    if (page === "login_failed") return failedLoginOf(request)
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
      const request: AppRequest = {
        http,
        app,
        context,
        origin,
        client: { ip: null, key: "" },
        knownBrowser: [],
        trustedDevice: []
      }
      return previewDocument(context, yield* viewOf(request, page), preview)
    })
  }
})

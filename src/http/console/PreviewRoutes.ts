import { Effect, Layer, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Settings } from "#api/apps/Fields"
import { decodeAll } from "#api/Decoding"
import { Choice } from "#api/Wire"
import { previewThemes } from "#core/apps/AppDrafts"
import { Apps } from "#core/apps/Apps"
import { MailPreviews } from "#core/hooks/MailPreviews"
import { Realms } from "#core/realms/Realms"
import { type RealmMailName, realmMails } from "#domain/DefaultMail"
import { withTheme } from "#domain/FixedTheme"
import { locales } from "#domain/Locale"
import { previewedPages } from "#domain/PreviewedPage"
import { CurrentRealm } from "#domain/Realm"
import { html } from "#platform/Html"
import { LoginDomains } from "#platform/LoginDomains"
import { Authentication } from "../Authentication.ts"
import { appInput } from "../apps/Requests.ts"
import { APP_PREVIEW, MAIL_FRAME, PREVIEW_FRAME } from "../ConsolePaths.ts"
import { badRequest, invalid, notFound, wireErrors } from "../Errors.ts"
import { resolveStatedRealm } from "../RealmResolution.ts"
import { readBody } from "../RequestBody.ts"
import { consoleCookie } from "./ConsoleCookie.ts"
import type { ConsoleOptions } from "./ConsoleOptions.ts"
import { consoleShell } from "./ConsoleShell.ts"
import { PagePreviews } from "./PagePreviews.ts"
import { mailFrame, previewFrame } from "./PreviewFrame.ts"

/**
 * The request that the console sends on each keystroke, with the page or the default email to show and the unsaved
 * settings.
 */
const Sent = Schema.Struct({
  page: Choice([...previewedPages, ...realmMails]),
  locale: Choice(locales),
  theme: Choice(previewThemes),
  client_app: Settings
})

const isMail = (page: string): page is RealmMailName => realmMails.some((one) => one === page)

/** A document with the text of an email that has no HTML. */
const textDocument = (text: string | null): string =>
  html`<!doctype html><meta charset="utf-8"><style>body { color-scheme: light dark; font: 14px/1.6 ui-monospace, monospace; white-space: pre-wrap }</style><body>${text ?? ""}`
    .markup

const decode = decodeAll(Sent, "body")

/** `/console/preview`: the preview of an app's page with unsaved settings (C217), and the frame that displays it. */
export const PreviewRoutes = (options: ConsoleOptions) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const authentication = yield* Authentication
      const realms = yield* Realms
      const apps = yield* Apps
      const previews = yield* PagePreviews
      const mails = yield* MailPreviews
      const { Rejected, RenderingBusy } = wireErrors
      const domains = yield* LoginDomains
      const frame = yield* previewFrame
      const frameOfMail = yield* mailFrame(domains.origin("*"))
      const shell = yield* consoleShell(options)
      const cookie = consoleCookie(options.publicUrl)

      const preview = Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const { own } = yield* authentication.authenticate(
          request,
          { level: "read", allowsSupport: false },
          { secret: cookie.read(request) }
        )
        const { realm_id } = yield* HttpServerRequest.ParsedSearchParams
        const realm = yield* resolveStatedRealm(realms, own, [realm_id ?? []].flat())
        if (realm === undefined) return yield* notFound("realm_id")
        const body = yield* readBody(request)
        if (body === undefined) return yield* badRequest("malformed_body", { format: "JSON" })
        const sent = yield* Effect.mapError(Effect.fromResult(decode(body.members)), invalid)
        return yield* Effect.gen(function* () {
          const { app_id = "" } = yield* HttpRouter.params
          const app = yield* Effect.mapError(apps.get(app_id), () => notFound("client_app"))
          // OAuth clients have no pages.
          if (app.clientType !== "standard") return yield* notFound("client_app")
          const draft = yield* Effect.mapError(apps.draft(app, appInput(sent.client_app)), RenderingBusy)
          const { page, locale, theme } = sent
          const document = isMail(page)
            ? Effect.map(mails.sample(page, locale, draft), (mail) =>
                withTheme(mail.html ?? textDocument(mail.text), theme)
              )
            : previews.render({ ...draft, page, locale, theme })
          return HttpServerResponse.text(yield* Effect.catchTags(document, { Rejected, RenderingBusy }), {
            contentType: "text/html; charset=utf-8",
            headers: { "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox" }
          })
        }).pipe(Effect.provideService(CurrentRealm, realm))
      })

      yield* router.add("GET", PREVIEW_FRAME, shell.at(PREVIEW_FRAME, frame))
      yield* router.add("GET", MAIL_FRAME, shell.at(MAIL_FRAME, frameOfMail))
      yield* router.add("POST", APP_PREVIEW, shell.at(APP_PREVIEW, Effect.andThen(shell.requireOwnPage, preview)))
    })
  ).pipe(Layer.provide(Authentication.layer))

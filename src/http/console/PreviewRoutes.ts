import { Effect, Layer, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Settings } from "#api/apps/Fields"
import { decodeAll } from "#api/Decoding"
import { Choice } from "#api/Wire"
import { previewedPages, previewThemes } from "#core/apps/AppDrafts"
import { Apps } from "#core/apps/Apps"
import { Realms } from "#core/realms/Realms"
import { locales } from "#domain/Locale"
import { CurrentRealm } from "#domain/Realm"
import { Authentication } from "../Authentication.ts"
import { appInput } from "../apps/Requests.ts"
import { APP_PREVIEW, PREVIEW_FRAME } from "../ConsolePaths.ts"
import { badRequest, invalid, notFound, wireErrors } from "../Errors.ts"
import { resolveStatedRealm } from "../RealmResolution.ts"
import { readBody } from "../RequestBody.ts"
import { consoleCookie } from "./ConsoleCookie.ts"
import type { ConsoleOptions } from "./ConsoleOptions.ts"
import { consoleShell } from "./ConsoleShell.ts"
import { PagePreviews } from "./PagePreviews.ts"
import { previewFrame } from "./PreviewFrame.ts"

/** The request that the console sends on each keystroke, with the page to show and the unsaved settings. */
const Sent = Schema.Struct({
  page: Choice(previewedPages),
  locale: Choice(locales),
  theme: Choice(previewThemes),
  client_app: Settings
})

const decode = decodeAll(Sent, "body")

/** `/console/preview`: the preview of an app's page with unsaved settings (C217), and the frame that displays it. */
export const PreviewRoutes = (options: ConsoleOptions) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const authentication = yield* Authentication
      const realms = yield* Realms
      const apps = yield* Apps
      const previews = yield* PagePreviews
      const frame = yield* previewFrame
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
          const draft = yield* Effect.mapError(apps.draft(app, appInput(sent.client_app)), wireErrors.RenderingBusy)
          const { page, locale, theme } = sent
          return HttpServerResponse.text(yield* previews.render({ ...draft, page, locale, theme }), {
            contentType: "text/html; charset=utf-8",
            headers: { "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox" }
          })
        }).pipe(Effect.provideService(CurrentRealm, realm))
      })

      yield* router.add("GET", PREVIEW_FRAME, shell.at(PREVIEW_FRAME, frame))
      yield* router.add("POST", APP_PREVIEW, shell.at(APP_PREVIEW, Effect.andThen(shell.requireOwnPage, preview)))
    })
  ).pipe(Layer.provide(Authentication.layer))

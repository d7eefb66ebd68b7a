import { Effect } from "effect"
import { openApiDocument } from "#api/docs/Document"
import { DocumentedApi } from "#api/docs/Groups"
import { publicPathOf } from "#domain/PublicPath"
import { HeaderNames } from "#http/Authentication"
import { RELEASE } from "#http/docs/Release"
import { LoginDomains } from "#platform/LoginDomains"
import type { Settings } from "./Config.ts"

/** The OpenAPI document that a service with these settings serves at `/openapi.json`. */
export const openApi = (settings: Settings) =>
  Effect.gen(function* () {
    const headers = yield* HeaderNames
    const loginUrl = (yield* LoginDomains).origin("{subdomain}")
    return openApiDocument(DocumentedApi, {
      version: RELEASE,
      headers,
      loginUrl,
      path: publicPathOf(settings.publicUrl)
    })
  }).pipe(Effect.provide(HeaderNames.layer(settings.headerPrefix)), Effect.provide(LoginDomains.layer(settings)))

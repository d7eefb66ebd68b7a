import { HttpServerResponse } from "effect/http"
import type { Unavailability } from "#platform/Transaction"
import { withCookies } from "./cookies/CookieChanges.ts"
import type { Download, PageResult } from "./HostedPage.ts"
import { contentSecurityPolicy } from "./markup/ContentSecurityPolicy.ts"
import { renderDocument, type View } from "./markup/Document.ts"
import { formPostScriptDigest, isFormPost } from "./markup/FormPostScript.ts"
import { problemView } from "./markup/Notices.ts"
import { hasStrengthMeter, strengthScriptDigest } from "./markup/StrengthScript.ts"
import type { PageContext } from "./PageContext.ts"
import type { HostedRequest } from "./RequestShell.ts"

/** The headers of every response (SEC-38). They prevent pages from being stored, framed, indexed or sent as a referrer. */
const headers = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "x-robots-tag": "noindex"
}

/** Renders a view as a complete document. */
export const viewResponse = (context: PageContext, view: View): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(renderDocument(context, view), {
    status: view.status,
    contentType: "text/html; charset=utf-8",
    headers: {
      ...headers,
      "content-security-policy": contentSecurityPolicy(
        view.forms ?? "ours",
        context.app,
        [
          ...(hasStrengthMeter(view.content) ? [strengthScriptDigest] : []),
          ...(isFormPost(view.content) ? [formPostScriptDigest] : [])
        ],
        view.passkeys,
        view.hasLogo
      ),
      vary: "accept-language",
      "content-language": context.texts.language,
      ...(view.status === 405 ? { allow: (view.allow ?? ["GET", "HEAD", "POST"]).join(", ") } : {}),
      ...(view.retryAfterSeconds === undefined ? {} : { "retry-after": String(view.retryAfterSeconds) })
    }
  })

const downloadResponse = ({ fileName, json }: Download) =>
  HttpServerResponse.text(json, {
    contentType: "application/json; charset=utf-8",
    headers: { ...headers, "content-disposition": `attachment; filename="${fileName}"` }
  })

/** Returns the response for a result, without its cookies. */
export const resultResponse = (context: PageContext, result: PageResult) => {
  if ("view" in result) return viewResponse(context, result.view)
  if ("download" in result) return downloadResponse(result.download)
  return HttpServerResponse.redirect(result.redirect, { status: result.status ?? 303, headers })
}

/** Returns the response to a request, including its cookies. */
export const pageResponse = (
  { context, origin }: HostedRequest,
  result: PageResult
): HttpServerResponse.HttpServerResponse =>
  withCookies(origin, result)(resultResponse(result.context ?? context, result))

/**
 * Returns the response for an unavailable database. It is in the language of the request, because the realm's language is
 * unknown.
 */
export const unavailableResponse = (context: PageContext, { retryAfterSeconds }: Unavailability) =>
  viewResponse(context, problemView(context.texts, "unavailable", 503, retryAfterSeconds))

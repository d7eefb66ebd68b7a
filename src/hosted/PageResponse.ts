import { type Cause, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { unavailabilityIn } from "#platform/Transaction"
import { policyFor } from "./markup/ContentSecurityPolicy.ts"
import { laidOut, type Page } from "./markup/Document.ts"
import { troubled } from "./markup/Notices.ts"
import type { Reader } from "./PageContext.ts"

/** On every answer (SEC-38): it is for one person once, for no other page, and tells nobody where it was. */
const headers = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "x-robots-tag": "noindex"
}

/** A page as it is sent. */
export const answer = (reader: Reader, page: Page) =>
  HttpServerResponse.text(laidOut(reader, page), {
    status: page.status,
    contentType: "text/html; charset=utf-8",
    headers: {
      ...headers,
      "content-security-policy": policyFor(page.next, reader.app),
      vary: "accept-language",
      "content-language": reader.texts.language,
      ...(page.status === 405 ? { allow: page.allow ?? "GET, HEAD, POST" } : {}),
      ...(page.retryAfterSeconds === undefined ? {} : { "retry-after": String(page.retryAfterSeconds) })
    }
  })

/** The way to another address. */
export const sent = (location: string, status: 302 | 303) => HttpServerResponse.redirect(location, { status, headers })

/** Without the database nothing is known of a visit but its language. */
export const unavailable = (nobody: Reader, cause: Cause.Cause<never>) => {
  const found = unavailabilityIn(cause)
  return found === undefined
    ? Effect.failCause(cause)
    : Effect.succeed(answer(nobody, troubled(nobody.texts, "unavailable", 503, found.retryAfterSeconds)))
}

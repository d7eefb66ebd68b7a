import { HttpServerResponse } from "effect/http"
import { laidOut, type Page } from "./pages/Layout.ts"
import { policy } from "./pages/Style.ts"
import type { Reader } from "./Reader.ts"

/** On every page (SEC-38): it is shown to one person once, by no other page, and tells nobody where it was. */
const headers = {
  "cache-control": "no-store",
  "content-security-policy": policy,
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "x-robots-tag": "noindex",
  vary: "accept-language"
}

/** A page as it is sent. */
export const answer = (reader: Reader, page: Page) =>
  HttpServerResponse.text(laidOut(reader, page), {
    status: page.status,
    contentType: "text/html; charset=utf-8",
    headers: {
      ...headers,
      "content-language": reader.texts.language,
      ...(page.status === 405 ? { allow: "GET, HEAD, POST" } : {}),
      ...(page.retryAfterSeconds === undefined ? {} : { "retry-after": String(page.retryAfterSeconds) })
    }
  })

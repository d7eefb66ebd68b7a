import type { HttpServerResponse } from "effect/http"
import { type Html, html } from "#platform/Html"
import { pageLayout } from "../pages/Layout.ts"
import type { Words } from "./Words.ts"

/** A page of the mailbox. */
export const page = (words: Words, title: string, main: Html, status = 200): HttpServerResponse.HttpServerResponse =>
  pageLayout({
    language: words.language,
    title: `${title} · Sallyport`,
    header: html`<a class="name" href="/mailbox">Sallyport <span>${words.mailbox}</span></a><nav><a href="/docs">${words.api}</a></nav>`,
    main,
    status
  })

import type { HttpServerResponse } from "effect/http"
import { type Html, html } from "#platform/Html"
import { pageLayout } from "../pages/Layout.ts"
import type { Texts } from "./Texts.ts"

/** The visitor's language, and the service's public URL. */
export interface Reader {
  readonly texts: Texts
  readonly publicUrl: string
}

/** A page of the mailbox. */
export const page = (
  { texts, publicUrl }: Reader,
  title: string,
  main: Html,
  status = 200
): HttpServerResponse.HttpServerResponse =>
  pageLayout({
    publicUrl,
    language: texts.language,
    title: `${title} · Sallyport`,
    header: html`<a class="name" href="/mailbox">Sallyport <span>${texts.mailbox}</span></a><nav><a href="/docs/guides">${texts.guides}</a> <a href="/docs">${texts.api}</a></nav>`,
    main,
    status
  })

import { expect, test } from "vitest"
import { isStorable } from "#domain/Text"
import { attacks } from "../core/MarkupCorpus.ts"
import { withApp } from "./Apps.ts"
import { evaluate, withVisitor } from "./Browser.ts"

/** The form actions of a page, the number of elements that could submit elsewhere and the number of shadow roots. */
const formState = `({
  actions: Array.from(document.forms, (form) => form.getAttribute("action")),
  strays: document.querySelectorAll("[formaction], [form], :is(input, button, select, textarea, object):not(main *)").length,
  shadows: Array.from(document.querySelectorAll("*")).filter((element) => element.shadowRoot !== null).length
})`

test("SEC-31: the list of attacks has more than 200 entries", () => {
  expect(Object.values(attacks).flat().length).toBeGreaterThan(200)
})

test.each(
  Object.entries(attacks)
)("SEC-31 (CVE-2026-5468, CVE-2026-42849): a header or footer runs no code and loads only images: %s", (_, payloads) =>
  withApp(({ realm, app, pages }) =>
    withVisitor(async (visitor) => {
      const { page, complaints, requestedUrls: sentUrls } = visitor
      const foreign: Array<unknown> = []
      page.on("request", (request) => {
        const isOurs = request.url().startsWith(pages)
        if (!isOurs && request.resourceType() !== "image") foreign.push([request.resourceType(), request.url()])
      })
      // The last page has no payload and shows any late effects of the previous ones.
      for (const payload of [...payloads, ""]) {
        const client_app = { header: payload, footer: payload }
        const { status } = await realm.put(`/v2/client_apps/${app.id}`, { client_app })
        expect([payload, status]).toEqual([payload, isStorable(payload) ? 200 : 422])
        await page.goto(`${pages}/login`)
        expect([payload, page.url()]).toEqual([payload, `${pages}/login`])
        expect([payload, await evaluate(visitor, formState)]).toEqual([
          payload,
          { actions: ["login", "login"], strays: 0, shadows: 0 }
        ])
        // Payloads may load an image, from a site that doesn't exist.
        const amiss = complaints.filter((line) => !line.endsWith("net::ERR_NAME_NOT_RESOLVED"))
        expect([payload, foreign, amiss]).toEqual([payload, [], []])
      }
      expect(sentUrls.length).toBeGreaterThanOrEqual(payloads.length)
    })
  ))

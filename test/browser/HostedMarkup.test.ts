import { describe, expect, test } from "vitest"
import { renderDocument, type View } from "#hosted/markup/Document"
import { attacks } from "../core/MarkupCorpus.ts"
import { arrivalPages } from "../hosted/ArrivalSamples.ts"
import { clientPages } from "../hosted/ClientSamples.ts"
import { pagesWithoutParameters, pagesWithParameters, visitOf } from "../hosted/PageSamples.ts"
import { teamPages } from "../hosted/TeamSamples.ts"
import { evaluate, withVisitor } from "./Browser.ts"

/** Every hosted page rendered with `sampleText` in each text, as first shown and with errors. */
const everyPage = (sampleText: string): ReadonlyArray<readonly [name: string, text: string]> => {
  const visit = visitOf("en", sampleText)
  const errors = ["email", "first_name", "code", null].map((field) => ({ field, text: sampleText }))
  const pages = (wrong: typeof errors): Readonly<Record<string, View>> => ({
    ...pagesWithParameters(
      visit,
      sampleText,
      { redirect_uri: "https://app.example.test/back", state: sampleText },
      wrong
    ),
    ...pagesWithoutParameters(visit, sampleText, wrong),
    ...teamPages(visit, sampleText, wrong),
    ...clientPages(visit, sampleText, wrong),
    ...arrivalPages(visit, sampleText, wrong)
  })
  const named = [
    ...Object.entries(pages([])),
    ...Object.entries(pages(errors)).map(([name, view]) => [`${name}, refused`, view] as const)
  ]
  return named.map(([name, view]) => [name, renderDocument(visit, view)])
}

const payloads = Object.values(attacks).flat()

/** The elements of a document with the names of their attributes. */
const skeleton = `(text) => Array.from(new DOMParser().parseFromString(text, "text/html").querySelectorAll("*"), (element) =>
  [element.localName, ...element.getAttributeNames()].join(" ")).join("\\n")`

const harmlessPages = everyPage("x")

/** The pages' own scripts and styles, which are removed to keep the documents small. */
const ownCode = new Set(harmlessPages.flatMap(([, text]) => text.match(/(?<=<(style|script)>).*?(?=<\/\1>)/gs) ?? []))

const withoutOwnCode = (text: string): string => [...ownCode].reduce((rest, code) => rest.replace(code, ""), text)

/** The number of attacks combined in one text, to save runs: an unescaped one changes everything after it. */
const ATTACKS_PER_TEXT = 8

describe("SEC-221: user-provided text on the hosted pages", () => {
  test("renders the same elements as harmless text", () =>
    withVisitor(async (visitor) => {
      expect(harmlessPages.length).toBeGreaterThan(100)
      const read = (pages: typeof harmlessPages) =>
        JSON.stringify(pages.map(([name, text]) => [name, withoutOwnCode(text)]))
      await evaluate(
        visitor,
        `globalThis.skeleton = ${skeleton}; globalThis.plain = new Map(${read(harmlessPages)}.map(([name, text]) => [name, skeleton(text)]))`
      )
      for (let at = 0; at < payloads.length; at += ATTACKS_PER_TEXT) {
        const sampleText = payloads.slice(at, at + ATTACKS_PER_TEXT).join(" ")
        const different = `${read(everyPage(sampleText))}.filter(([name, text]) => skeleton(text) !== plain.get(name)).map(([name]) => name)`
        expect([sampleText, await evaluate(visitor, different)]).toEqual([sampleText, []])
      }
    }))

  test("runs no code and sends no requests for any of the attacks", () =>
    withVisitor(async ({ page, complaints, requestedUrls: asked }) => {
      // Pages that immediately post a form to a client navigate away too soon.
      const pages = everyPage(payloads.join(" ")).filter(([name]) => !name.startsWith("formPost"))
      for (const [name, text] of pages) {
        await page.setContent(text)
        expect([name, await page.locator("main").count(), complaints, asked]).toEqual([name, 1, [], []])
      }
    }))
})

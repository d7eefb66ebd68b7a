import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { fieldsOf } from "./ConsoleFields.ts"
import { type ConsoleVisitor, visitingConsole } from "./ConsoleVisit.ts"
import { furnishedRealm } from "./FurnishedRealm.ts"
import { attackTexts, everything, planted, turnHostile } from "./HostileAnswers.ts"
import { browserService } from "./Service.ts"

/** Every text of a page, and every text that somebody meets in its fields and its names for what is no text. */
const texts = `(() => {
  const found = [document.title]
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) found.push(walker.currentNode.data)
  for (const element of document.body.querySelectorAll("*")) {
    if (typeof element.value === "string") found.push(element.value)
    for (const name of ["aria-label", "title", "placeholder", "alt"]) found.push(element.getAttribute(name) ?? "")
  }
  return [...new Set(found)]
})()`

/** What a page must not have: an element that the console doesn't use, a handler, or an address that is none of the web. */
const strays = `(() => {
  const foreign = ":is(script, iframe, object, embed, base, meta, link, style, img, image, audio, video, math, template, frameset, marquee, dialog, font, xss, portal, applet, form[action], [formaction], [srcdoc], svg a, svg script, foreignObject, animate, set):not(body > script, body > link, iframe[src='/console/preview/frame'])"
  const attributes = [...document.querySelectorAll("*")].flatMap((element) =>
    [...element.attributes].filter(({ name, value }) => /^on/i.test(name) || (/^(href|src|action|xlink:href)$/i.test(name) && !/^(\\/(?!\\/)|#|https?:\\/\\/|data:image\\/svg)/.test(value)))
      .map(({ name, value }) => name + "=" + value.slice(0, 100) + " of " + element.localName))
  return [...[...document.body.querySelectorAll(foreign)].map((element) => element.outerHTML.slice(0, 200)), ...attributes]
})()`

/** Fields of one line leave out what ends one. */
const onOneLine = (text: string): string => text.replaceAll(/[\t\n\r]/g, "")

const textsOf = async (page: Page): Promise<string> =>
  onOneLine((await page.evaluate<ReadonlyArray<string>>(texts)).join("\u2028"))

/** The fields of which a page shows every attack, letter for letter: one in each row, or all of them in one text. */
const wholeFields = (shown: string): ReadonlyArray<string> => {
  const named = new Set([...shown.matchAll(/ \[([\w. ]+)\]/g)].map(([, field = ""]) => field))
  const isThere = (text: string, field: string) => shown.includes(onOneLine(planted(text, field)))
  return [...named]
    .filter((field) => isThere(everything, field) || attackTexts.every((text) => isThere(text, field)))
    .toSorted()
}

interface HostileVisitor extends ConsoleVisitor {
  /** The address of the realm in the console. */
  readonly at: string
  /** Waits until everything on a page has been read. */
  readonly settled: () => Promise<void>
  /** Demands that a page has nothing that came with a text, and that nobody but the service was asked for anything. */
  readonly inert: (what: string) => Promise<void>
}

/** A visit to a realm in which every text is an attack. */
const visitingHostile = async (use: (visitor: HostileVisitor) => Promise<void>): Promise<void> => {
  const { at } = await furnishedRealm()
  const { publicUrl } = await browserService()
  await visitingConsole(async (visitor) => {
    const { page, asked, complaints } = visitor
    const { waiting } = await turnHostile(page, publicUrl)
    const settled = async () => {
      await page.locator("h1").first().waitFor({ timeout: 20_000 })
      let wasQuiet = false
      // What has come may ask for more.
      const isSettled = async () => {
        const isQuiet = waiting() === 0 && (await page.locator(".loading").count()) === 0
        const isSettledNow = wasQuiet && isQuiet
        wasQuiet = isQuiet
        return isSettledNow
      }
      await expect.poll(isSettled, { timeout: 20_000 }).toBe(true)
    }
    const inert = async (what: string) => {
      expect([what, await page.evaluate(strays)]).toEqual([what, []])
      expect([what, complaints, asked.filter((url) => !url.startsWith(publicUrl))]).toEqual([what, [], []])
    }
    await use({ ...visitor, at, settled, inert })
  })
}

describe("SEC-220: text that is markup is shown as it is, and runs nothing, in the console", () => {
  test("every text that the API answers with, on every page", () =>
    visitingHostile(async ({ page, open, at, settled, inert }) => {
      const { pages } = await furnishedRealm()
      const addresses = Object.entries({ ...pages, Message: "/mailbox/ml_1" }).map(
        ([name, path]) => [name, at + path] as const
      )
      for (const [name, path] of [["Realms", "/realms"] as const, ...addresses]) {
        await open(path)
        await settled()
        const shown = wholeFields(await textsOf(page))
        const expected = [...(fieldsOf[name] ?? []), name === "Realms" ? "RealmItem.name" : "Realm.name"]
        expect([name, expected.filter((field) => !shown.includes(field))]).toEqual([name, []])
        await inert(name)
      }
    }))
})

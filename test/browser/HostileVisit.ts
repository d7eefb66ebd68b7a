import type { Page } from "playwright-core"
import { expect } from "vitest"
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
export const onOneLine = (text: string): string => text.replaceAll(/[\t\n\r]/g, "")

export const textsOf = async (page: Page): Promise<string> =>
  onOneLine((await page.evaluate<ReadonlyArray<string>>(texts)).join("\u2028"))

/** The fields of which a page shows every attack, letter for letter: one in each row, or all of them in one text. */
export const wholeFields = (shown: string): ReadonlyArray<string> => {
  const named = new Set([...shown.matchAll(/ \[([\w. ]+)\]/g)].map(([, field = ""]) => field))
  const isThere = (text: string, field: string) => {
    const whole = planted(text, field)
    // Custom data is shown as JSON.
    return shown.includes(onOneLine(whole)) || shown.includes(JSON.stringify(whole).slice(1, -1))
  }
  return [...named]
    .filter((field) => isThere(everything, field) || attackTexts.every((text) => isThere(text, field)))
    .toSorted()
}

export interface HostileVisitor extends ConsoleVisitor {
  /** The address of the realm in the console. */
  readonly at: string
  /** Waits until everything on a page has been read. */
  readonly settled: () => Promise<void>
  /** Demands that a page has nothing that came with a text, and that nobody but the service was asked for anything. */
  readonly inert: (what: string) => Promise<void>
}

/** A visit to a realm in which every text is an attack. */
export const visitingHostile = async (use: (visitor: HostileVisitor) => Promise<void>): Promise<void> => {
  const { at } = await furnishedRealm()
  const { publicUrl } = await browserService()
  await visitingConsole(async (visitor) => {
    const { page, open, asked, complaints } = visitor
    await open("/realms")
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
    // What a page still asks for is answered before it goes.
    await page.unrouteAll({ behavior: "wait" })
  })
}

/** The fields in which texts are typed. */
const typedIn = `[...document.querySelectorAll("input:not([type]), input[type=text], input[type=search], input[type=email], input[type=url], input[type=tel], input[type=password], textarea")].filter((field) => !field.disabled && !field.readOnly)`

/**
 * Types all attacks into every field of a page at once, as a browser tells of it, and demands that the fields keep them. Returns how
 * many fields there are.
 */
export const typeEverything = async (page: Page): Promise<number> => {
  const fields = await page.evaluate<ReadonlyArray<string>>(`(async () => {
    const typed = ${JSON.stringify(everything)}
    const fields = ${typedIn}
    for (const field of fields) {
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value").set.call(field, typed)
      field.dispatchEvent(new Event("input", { bubbles: true }))
    }
    await new Promise((done) => setTimeout(done))
    return fields.map((field) => field.value)
  })()`)
  expect(fields.filter((value) => onOneLine(value).trim() !== onOneLine(everything).trim())).toEqual([])
  return fields.length
}

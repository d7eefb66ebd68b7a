import type { Page } from "playwright-core"
import { expect } from "vitest"
import { type ConsoleVisitor, withConsoleVisitor } from "./ConsoleVisit.ts"
import { furnishedRealm } from "./FurnishedRealm.ts"
import { allAttacks, attackTexts, replaceResponses, withFieldName } from "./HostileResponses.ts"
import { browserService } from "./Service.ts"

/** Every text of a page, including field values and accessible names. */
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

/** Things a page must not have: elements the console doesn't use, event handlers and URLs with unexpected schemes. */
const injectedParts = `(() => {
  const foreign = ":is(script, iframe, object, embed, base, meta, link, style, img, image, audio, video, math, template, frameset, marquee, dialog, font, xss, portal, applet, form[action], [formaction], [srcdoc], svg a, svg script, foreignObject, animate, set):not(body > script, body > link, iframe[src^='/console/preview/'])"
  const attributes = [...document.querySelectorAll("*")].flatMap((element) =>
    [...element.attributes].filter(({ name, value }) => /^on/i.test(name) || (/^(href|src|action|xlink:href)$/i.test(name) && !/^(\\/(?!\\/)|#|https?:\\/\\/|data:image\\/svg)/.test(value)))
      .map(({ name, value }) => name + "=" + value.slice(0, 100) + " of " + element.localName))
  return [...[...document.body.querySelectorAll(foreign)].map((element) => element.outerHTML.slice(0, 200)), ...attributes]
})()`

/** Single-line fields remove line breaks and tabs. */
export const onOneLine = (text: string): string => text.replaceAll(/[\t\n\r]/g, "")

export const textsOf = async (page: Page): Promise<string> =>
  onOneLine((await page.evaluate<ReadonlyArray<string>>(texts)).join("\u2028"))

/** The fields whose attacks a page shows in full and verbatim: one per row, or all in one text. */
export const completeFields = (shown: string): ReadonlyArray<string> => {
  const named = new Set([...shown.matchAll(/ \[([\w. ]+)\]/g)].map(([, field = ""]) => field))
  const isThere = (text: string, field: string) => {
    const whole = withFieldName(text, field)
    // Custom data is shown as JSON.
    return shown.includes(onOneLine(whole)) || shown.includes(JSON.stringify(whole).slice(1, -1))
  }
  return [...named]
    .filter((field) => isThere(allAttacks, field) || attackTexts.every((text) => isThere(text, field)))
    .toSorted()
}

/** The texts that a page shows on demand: an email's other views, and the deliveries of a webhook. */
export const textsOnDemand = async (page: Page, name: string): Promise<string> => {
  const shown: Array<string> = []
  for (const view of name === "Message" ? ["Plain text", "Source", "Email"] : []) {
    await page.getByRole("button", { name: view, exact: true }).click()
    shown.push(await textsOf(page))
  }
  const deliveries = page.getByRole("table", { name: "Deliveries" }).getByRole("button", { name: "Show", exact: true })
  for (const [index, button] of name === "Hook" ? (await deliveries.all()).entries() : []) {
    // Two rows in a row have the same attacks.
    if (index % 2 === 1) continue
    await button.click()
    await page.getByRole("dialog").locator("dd").first().waitFor()
    shown.push(await textsOf(page))
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click()
  }
  return shown.join("\u2028")
}

export interface HostileVisitor extends ConsoleVisitor {
  /** The realm's path in the console. */
  readonly at: string
  /** Waits until a page has loaded all its data. */
  readonly waitUntilLoaded: () => Promise<void>
  /** Asserts that a text injected nothing into the page and that it sent requests only to the service. */
  readonly expectInert: (what: string) => Promise<void>
}

/** Runs `use` with a visitor to a realm in which every text is an attack. */
export const withHostileVisitor = async (use: (visitor: HostileVisitor) => Promise<void>): Promise<void> => {
  const { at } = await furnishedRealm()
  const { publicUrl } = await browserService()
  await withConsoleVisitor(async (visitor) => {
    const { page, open, requestedUrls: sentUrls, complaints } = visitor
    await open("/realms")
    const { waiting } = await replaceResponses(page, publicUrl)
    const waitUntilLoaded = async () => {
      await page.locator("h1").first().waitFor({ timeout: 20_000 })
      let wasQuiet = false
      // Loaded data can trigger further requests.
      const isSettled = async () => {
        const isQuiet = waiting() === 0 && (await page.locator(".loading").count()) === 0
        const isSettledNow = wasQuiet && isQuiet
        wasQuiet = isQuiet
        return isSettledNow
      }
      await expect.poll(isSettled, { timeout: 20_000 }).toBe(true)
    }
    const expectInert = async (what: string) => {
      expect([what, await page.evaluate(injectedParts)]).toEqual([what, []])
      expect([what, complaints, sentUrls.filter((url) => !url.startsWith(publicUrl))]).toEqual([what, [], []])
    }
    await use({ ...visitor, at, waitUntilLoaded, expectInert })
    // Finish pending requests before leaving the page.
    await page.unrouteAll({ behavior: "wait" })
  })
}

/** The text fields of a page. */
const textFields = `[...document.querySelectorAll("input:not([type]), input[type=text], input[type=search], input[type=email], input[type=url], input[type=tel], input[type=password], textarea")].filter((field) => !field.disabled && !field.readOnly)`

/** Enters all attacks into every text field and asserts that the fields keep them. Returns the number of fields. */
export const enterAllAttacks = async (page: Page): Promise<number> => {
  const fields = await page.evaluate<ReadonlyArray<string>>(`(async () => {
    const typed = ${JSON.stringify(allAttacks)}
    const fields = ${textFields}
    for (const field of fields) {
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value").set.call(field, typed)
      field.dispatchEvent(new Event("input", { bubbles: true }))
    }
    await new Promise((done) => setTimeout(done))
    return fields.map((field) => field.value)
  })()`)
  expect(fields.filter((value) => onOneLine(value).trim() !== onOneLine(allAttacks).trim())).toEqual([])
  return fields.length
}

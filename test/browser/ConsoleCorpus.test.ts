import { describe, expect, test } from "vitest"
import { fieldsOf, fieldsOnEveryPage, minTextFields } from "./ConsoleFields.ts"
import { furnishedRealm } from "./FurnishedRealm.ts"
import { attackTexts } from "./HostileResponses.ts"
import {
  completeFields,
  enterAllAttacks,
  onOneLine,
  textsOf,
  textsOnDemand,
  withHostileVisitor
} from "./HostileVisit.ts"

describe("SEC-220: the console shows markup as text and never runs the markup", () => {
  test("in strings from API responses and in input fields", () =>
    withHostileVisitor(async ({ page, open, at, waitUntilLoaded, expectInert }) => {
      const { pages } = await furnishedRealm()
      const addresses = Object.entries({ ...pages, Message: "/mailbox/ml_1" }).map(
        ([name, path]) => [name, at + path] as const
      )
      for (const [name, path] of [["Realms", "/realms"] as const, ...addresses]) {
        await open(path)
        await waitUntilLoaded()
        const expected = [...(fieldsOf[name] ?? []), ...fieldsOnEveryPage, ...(name === "Realms" ? [] : ["Realm.name"])]
        const onDemand = await textsOnDemand(page, name)
        const missingFields = async () => {
          const shown = completeFields(`${onDemand}\u2028${await textsOf(page)}`)
          return [name, ...expected.filter((field) => !shown.includes(field))]
        }
        await expect.poll(missingFields).toEqual([name])
        await expectInert(name)
        expect([name, await enterAllAttacks(page)]).toEqual([
          name,
          expect.toSatisfy((typed: number) => typed >= (minTextFields[name] ?? 0))
        ])
        await waitUntilLoaded()
        await expectInert(`${name}, typed into`)
      }
    }))
})

describe("SEC-220: the console shows markup from the URL as text and never runs the markup", () => {
  test("in the path and the query", () =>
    withHostileVisitor(async ({ page, open, go, at, waitUntilLoaded, expectInert }) => {
      const nextFrame = () => page.evaluate("new Promise((done) => setTimeout(done))")
      await open(`${at}/users`)
      await waitUntilLoaded()
      const heading = page.getByRole("heading", { level: 1 })
      for (const text of attackTexts) {
        const encoded = encodeURIComponent(text)
        for (const path of [
          `/realms/${encoded}/users`,
          `${at}/${encoded}`,
          `${at}/events?user_id=${encoded}&event_type=${encoded}&live=${encoded}`,
          `${at}?days=${encoded}`,
          `${at}/invitations/new?org_id=${encoded}`
        ]) {
          await go(path)
          await nextFrame()
          await expectInert(path)
        }
        await go(`${at}/orgs?search=${encoded}&state=${encoded}`)
        await expect
          .poll(async () => onOneLine(await page.getByRole("searchbox").first().inputValue({ timeout: 1000 })))
          .toBe(onOneLine(text))
        await expectInert(text)
      }
      for (const broken of ["%", "%25", "%2525", "%zz", "%E0%A4%A", "%00"]) {
        await go(`/realms/${broken}`)
        await nextFrame()
        await go(`${at}/orgs?search=${broken}`)
        await heading.filter({ hasText: "Orgs" }).waitFor()
        await expectInert(broken)
      }
    }))
})

import { Deferred, Effect } from "effect"
import type { Page } from "playwright-core"
import { expect, inject, test } from "vitest"
import { ConsoleFolder } from "#http/console/ConsoleFiles"
import { type DevService, runDev } from "#server/Dev"
import { Api } from "#testing/Api"
import { overHttp } from "#testing/Transport"
import { expectAccessible } from "./Axe.ts"
import { withVisitor } from "./Browser.ts"
import { waitForPage } from "./ConsoleVisit.ts"
import { freePort } from "./Site.ts"

const EXPIRED = "This link has expired or was already used. Log in another way."

/** Runs `use` with a development service and the link to its console that the start prints. */
const withDevService = async (use: (service: DevService, link: string) => Promise<void>): Promise<void> => {
  const port = await freePort()
  await Effect.runPromise(
    Effect.gen(function* () {
      const ready = yield* Deferred.make<DevService>()
      const running = runDev({ port, dataDir: undefined }, (service) => Effect.asVoid(Deferred.succeed(ready, service)))
      const visits = Effect.flatMap(Deferred.await(ready), (service) =>
        Effect.promise(() => use(service, service.loginUrl ?? "no link"))
      )
      yield* Effect.raceFirst(visits, running)
    }).pipe(Effect.provideService(ConsoleFolder, new URL(inject("console"))))
  )
}

/** Opens a link that no longer works. */
const expectRejected = async (page: Page, link: string): Promise<void> => {
  await page.goto(link)
  await page.getByRole("alert").filter({ hasText: EXPIRED }).waitFor()
  await page.getByRole("heading", { name: "Log in to the console" }).waitFor()
  expect(new URL(page.url()).hash).toBe("")
}

test("C308, SEC-290: the link printed at a start logs in to the console in one browser, once", async () => {
  await withDevService(async (_service, link) => {
    await withVisitor(async ({ page, complaints, requestedUrls }) => {
      await page.goto(link)
      await waitForPage(page, "Realms")
      // The token is neither in the address nor in the history, and was never sent in a URL.
      const [, token = "no token"] = link.split("#login=")
      expect(page.url()).not.toContain(token)
      expect(
        requestedUrls.map((url) => new URL(url)).filter(({ href, hash }) => href.replace(hash, "").includes(token))
      ).toEqual([])
      await page.goBack()
      expect(page.url()).not.toContain(token)
      await page.goForward()
      await page.getByRole("button", { name: "Account" }).click()
      await page.getByRole("menuitem", { name: "Log out", exact: true }).click()
      await page.getByRole("heading", { name: "Log in to the console" }).waitFor()
      await expectRejected(page, link)
      expect(complaints).toEqual([])
    })
    await withVisitor(async (other) => {
      await expectRejected(other.page, link)
      await expectAccessible(other, "Expired login link")
    })
  })
})

test("C308: the link printed at a start expires after 15 minutes", async () => {
  await withDevService(async ({ url, key }, link) => {
    const moved = await new Api(overHttp(url), key).post("/v2/test/clock", { advance: "15 minutes" })
    expect(moved.status).toBe(200)
    await withVisitor(({ page }) => expectRejected(page, link))
  })
})

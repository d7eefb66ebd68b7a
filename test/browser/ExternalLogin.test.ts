import { describe, expect, test } from "vitest"
import { oauth2StandIn, profile } from "../support/external.ts"
import { RawResponse } from "../support/standIns.ts"
import { withApp } from "./Apps.ts"
import { withVisitor } from "./Browser.ts"

const TABS = 8

describe("SEC-264: a login at an identity provider", () => {
  test("completes in each of eight tabs that start a login at the same time", () =>
    withApp(({ realm, pages, site }) =>
      withVisitor(async ({ context, complaints }) => {
        const authorize = ({ path }: { readonly path: string }) => {
          const asked = new URL(path, "http://provider.test").searchParams
          const back = new URL(asked.get("redirect_uri") ?? "")
          back.searchParams.set("code", "a-code")
          back.searchParams.set("state", asked.get("state") ?? "")
          const link = back.href.replaceAll("&", "&amp;")
          return new RawResponse(200, `<!doctype html><title>Allow</title><a href="${link}">Allow</a>`, {
            "content-type": "text/html"
          })
        }
        const { provider } = await oauth2StandIn(realm, profile(), {}, { authorize })
        const tabs = await Promise.all(Array.from({ length: TABS }, () => context.newPage()))
        await Promise.all(tabs.map((tab) => tab.goto(`${pages}/auth/${provider.id}`)))
        await Promise.all(
          tabs.map(async (tab) => {
            await tab.getByRole("link", { name: "Allow" }).click()
            await tab.waitForURL((url) => url.origin === site.origin)
          })
        )
        const arrived = tabs.map((tab) => new URL(tab.url()))
        expect(arrived.map((url) => url.origin + url.pathname)).toEqual(
          Array.from({ length: TABS }, () => `${site.origin}/callback`)
        )
        expect(new Set(arrived.map((url) => url.searchParams.get("token"))).size).toBe(TABS)
        const names = (await context.cookies(`${pages}/auth/`)).map(({ name }) => name)
        expect(names.filter((name) => name.includes("social_login"))).toEqual([])
        expect(complaints).toEqual([])
      })
    ))
})

import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { unescapeHtml } from "../../support/pages.ts"
import { clockedService, newRealm } from "../../support/sallyport.ts"
import { onProfilePage, visitorAtApp } from "../../support/visitor.ts"

const PLACE = "https://app.example.test/settings?tab=1"
const BYE = "https://app.example.test/bye"
const FOREIGN = "https://elsewhere.example.test/"
const ROOT = "https://app.example.test/"

/** The URL of the link with this text on a page. */
const linkOf = ({ text }: Reply, label: string): string | undefined => {
  const links = [...text.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs)]
  const found = links.find(([, , inside = ""]) => unescapeHtml(inside.replaceAll(/<[^>]*>/g, "")) === label)
  return found?.[1] === undefined ? undefined : unescapeHtml(found[1])
}

const app = { name: "Paper & Pen", redirect_uris: [PLACE], logout_uris: [BYE] }

describe("a link back to the app (C84)", () => {
  test("is shown on profile, org selection, logout and error pages and carries no token", async () => {
    const realm = await newRealm({ org_mode: "multi_user" })
    const { visitor } = await onProfilePage(realm, { app })
    const back = async (page: string, query: Readonly<Record<string, string>> = {}) =>
      linkOf(await visitor.open(`/${page}?${new URLSearchParams(query)}`), "Back to Paper & Pen")
    for (const page of ["profile", "accounts"]) {
      expect([page, await back(page, { state: "s" })]).toEqual([page, ROOT])
      expect([page, await back(page, { redirect_uri: PLACE, state: "s" })]).toEqual([page, PLACE])
      expect([page, visitor.page.status]).toEqual([page, 200])
    }
    expect(await back("profile", { redirect_uri: FOREIGN })).toBe(ROOT)
    expect(await back("logout", { redirect_uri: PLACE, state: "s" })).toBe(ROOT)
    expect([await back("login", { redirect_uri: FOREIGN }), visitor.page.status]).toEqual([ROOT, 422])
    expect([await back("login", { state: "a\nb" }), visitor.page.status]).toEqual([ROOT, 422])
    expect([await back("reset", { token: "x" }), visitor.page.status]).toEqual([ROOT, 410])
    expect([await back("auth/nothing"), visitor.page.status]).toEqual([ROOT, 404])
    await visitor.open("/logout")
    expect(linkOf(await visitor.fill({}, "Log out"), "Back to Paper & Pen")).toBe(ROOT)
  })

  test("C219: shows the app's display name", async () => {
    const realm = await newRealm()
    const { visitor, email } = await visitorAtApp(realm, {
      app: { name: "pen-production", appearance: { name: "Ink" } }
    })
    await visitor.logIn(email)
    const page = await visitor.open("/profile")
    expect(linkOf(page, "Back to Ink")).toBeDefined()
    expect(page.text).not.toContain("pen-production")
  })

  test("points to the root of the login handler's site, and is missing if there is no handler", async () => {
    const realm = await newRealm()
    for (const login_handler of ["http://localhost:4000/callback", null]) {
      const { visitor, email } = await visitorAtApp(realm, { app: { name: "Pen", login_handler } })
      await visitor.logIn(email)
      const expected = login_handler === null ? undefined : "http://localhost:4000/"
      expect(linkOf(await visitor.open("/profile"), "Back to Pen")).toBe(expected)
    }
  })

  test("passes on a registered logout URI to /logout, but no redirect URI", async () => {
    const { given, advance } = await clockedService()
    const { visitor } = await onProfilePage(await given.realm(), { app: { ...app, auto_continue: false } })
    await advance("1 minute")
    for (const [page, redirect_uri, expected] of [
      ["profile", "https://app.example.test/in", "logout?state=q"],
      ["profile", PLACE, "logout?state=q"],
      ["profile", BYE, `logout?${new URLSearchParams({ redirect_uri: BYE, state: "q" })}`],
      ["login", PLACE, "logout?state=q"]
    ] as const) {
      const shown = await visitor.open(`/${page}?${new URLSearchParams({ redirect_uri, state: "q" })}`)
      expect([page, redirect_uri, linkOf(shown, "Log out")]).toEqual([page, redirect_uri, expected])
    }
    await visitor.open(`/${linkOf(visitor.page, "Log out")}`)
    expect((await visitor.fill({}, "Log out")).status).toBe(200)
  })
})

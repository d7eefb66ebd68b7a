import { describe, expect, test, vi } from "vitest"
import { userEvent as event } from "../../support/logins.ts"
import { statusAndHeading, unescapeHtml, visibleText } from "../../support/pages.ts"
import { clockedService, newRealm } from "../../support/sallyport.ts"
import { onProfilePage, SAME_SITE_HEADERS } from "../../support/visitor.ts"

/** The language options on a page. */
const languageOptions = ({ text }: { readonly text: string }) => {
  const select = /<select id="language".*?<\/select>/s.exec(text)?.[0] ?? ""
  return [...select.matchAll(/<option value="([^"]*)"[^>]*>([^<]*)</g)].map(([, value, label = ""]) => [
    value,
    unescapeHtml(label)
  ])
}

const OURS_TOO = [
  ["en", "English"],
  ["es", "Español"]
]

describe("C92: the language of emails on /profile", () => {
  test("can be set to any page language, and is stored as the realm's matching locale if available", async () => {
    for (const [available_locales, chosen] of [
      [["en"], "es"],
      [["en", "es-MX"], "es-MX"]
    ] as const) {
      const realm = await newRealm({ available_locales })
      const { user, visitor } = await onProfilePage(realm)
      expect(languageOptions(visitor.page)).toEqual([["default", "Default (English)"], ...OURS_TOO])
      expect(visitor.form("Save").values["language"]).toBe("default")
      const { result, events } = await realm.seen.during(() => visitor.fill({ language: "es" }, "Save"))
      expect([result.status, visitor.leads.search, events]).toEqual([
        303,
        "?saved=details",
        [event(user, "profile.updated")]
      ])
      const path = `/v2/users/${user.id}`
      expect((await realm.get(path)).member("locale")).toBe(chosen)
      const [changed] = (await realm.get("/v2/events?event_type=user.profile.updated")).items
      expect(changed?.["changed"]).toEqual(["locale"])
      await visitor.follow()
      expect(visitor.form("Save").values["language"]).toBe("es")
      // An unchanged form records no event.
      expect(await realm.seen.caused(() => visitor.fill({}, "Save"))).toEqual([])
      await visitor.follow()
      await visitor.fill({ language: "default" }, "Save")
      expect((await realm.get(path)).member("locale")).toBe(null)
    }
  })

  test("stays unchanged if the pages don't support the language, until the user chooses another", async () => {
    const realm = await newRealm({ default_locale: "fr", available_locales: ["fr", "en"] })
    const { user, visitor, origin } = await onProfilePage(realm, { user: { locale: "pt-BR" } })
    const headers = { "accept-language": "es" }
    const inSpanish = await visitor.browser.go(`${origin}/profile`, { headers })
    expect([statusAndHeading(inSpanish), languageOptions(inSpanish)]).toEqual([
      [200, "Su perfil"],
      [["default", "Predeterminado (francés)"], ...OURS_TOO, ["other", "portugués de Brasil"]]
    ])
    const localeOf = async () => (await realm.get(`/v2/users/${user.id}`)).member("locale")
    for (const language of ["other", "", "pt", "constructor", "__proto__"]) {
      await visitor.send("/profile", { ...visitor.form("Save").values, language, first_name: `Ada ${language}` })
      expect([language, visitor.page.status, await localeOf()]).toEqual([language, 303, "pt-BR"])
      await visitor.open("/profile")
    }
    await visitor.fill({ language: "en" }, "Save")
    expect(await localeOf()).toBe("en")
    await visitor.follow()
    expect(languageOptions(visitor.page)).toEqual([["default", "Default (French)"], ...OURS_TOO])
  })

  test("is shown as stored if the value is not a language tag", async () => {
    const realm = await newRealm()
    const { visitor } = await onProfilePage(realm, { user: { locale: "!<b>" } })
    expect(languageOptions(visitor.page).at(-1)).toEqual(["other", "!<b>"])
    const refused = await visitor.fill({ language: "es", first_name: "x".repeat(256) }, "Save")
    expect([refused.status, visitor.form("Save").values["language"]]).toEqual([422, "es"])
  })

  test("applies to emails requested on the page, regardless of the browser's language", async () => {
    const { given, advance, postbox } = await clockedService()
    const realm = await given.realm({ email_verification: "request" })
    const { visitor, email } = await onProfilePage(realm)
    const subjectOf = async (headers: Readonly<Record<string, string>>) => {
      await visitor.send("/profile", { way: "verify" }, { ...SAME_SITE_HEADERS, ...headers })
      await vi.waitUntil(async () => {
        await advance("1 minute")
        return postbox.to(email).length > 0
      }, 10_000)
      return postbox.take(email).map(({ subject }) => subject)
    }
    const inSpanish = { "accept-language": "es" }
    expect(await subjectOf(inSpanish)).toEqual([expect.stringMatching(/^Confirme su/)])
    await visitor.open("/profile")
    await visitor.fill({ language: "en" }, "Save")
    expect(await subjectOf(inSpanish)).toEqual([expect.stringMatching(/^Confirm your/)])
    expect(visibleText(await visitor.open("/profile"))).toContain("For the emails we send you.")
  })
})

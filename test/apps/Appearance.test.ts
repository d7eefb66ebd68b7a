import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { uniqueText } from "#testing/Given"
import { HANDLER } from "../external/BrowserLogins.ts"
import { digestOf, LOGO, newApp, noAppearance, policyOf, stylesOf } from "../support/appearances.ts"
import { appVersions } from "../support/apps.ts"
import { Browser } from "../support/browser.ts"
import { statusAndErrors } from "../support/logins.ts"
import { dataUrl, png, SVG_LOGO } from "../support/logos.ts"
import { unescapeHtml } from "../support/pages.ts"
import { newRealm } from "../support/sallyport.ts"

describe.each(appVersions)("C158: the appearance of an app in $version", ({ path, wrapper }) => {
  test("is initially empty, and each field can be set and cleared", async () => {
    const realm = await newRealm()
    const made = await realm.post(path, { [wrapper]: { name: "Acme", login_handler: HANDLER } })
    expect(made.member("appearance")).toEqual(noAppearance)
    const at = `${path}/${made.id}`
    const put = (appearance: unknown) => realm.put(at, { [wrapper]: { appearance } })

    const { result, events } = await realm.seen.during(() =>
      put({ name: " Acme Cloud ", color: "#ABC", dark_color: "#FFD400", logo: dataUrl("svg+xml", SVG_LOGO) })
    )
    const set = { name: "Acme Cloud", color: "#aabbcc", dark_color: "#ffd400", dark_logo_url: null }
    expect(result.member("appearance")).toEqual({ ...noAppearance, ...set, logo_url: expect.stringMatching(LOGO) })
    expect(events).toEqual([{ event_type: "login_policy.updated", client_app_id: made.id }])
    const updates = await realm.get("/v2/events?changed=appearance")
    expect(updates.items.map(({ event_type }) => event_type)).toEqual(["login_policy.updated"])
    expect((await realm.get(at)).body).toEqual(result.body)

    const more = await put({ dark_logo: dataUrl("png", png()), color: null })
    expect(more.member("appearance")).toEqual({
      ...noAppearance,
      ...set,
      color: null,
      logo_url: result.string("appearance", "logo_url"),
      dark_logo_url: expect.stringMatching(LOGO)
    })
    // A response can be sent back as input.
    const again = await realm.seen.during(() => put(more.member("appearance")))
    expect([again.result.member("appearance"), again.events]).toEqual([more.member("appearance"), []])
    expect((await put({ logo: "" })).member("appearance")).toEqual(more.member("appearance"))
    expect((await put({ logo: null })).member("appearance")).toMatchObject({ logo_url: null, name: "Acme Cloud" })
    expect((await put(null)).member("appearance")).toEqual(noAppearance)
  })

  test("can be set, including logos, when creating the app", async () => {
    const realm = await newRealm()
    const appearance = { logo: dataUrl("png", png()), dark_logo: dataUrl("svg+xml", SVG_LOGO) }
    const made = await realm.post(path, { [wrapper]: { name: "Acme", login_handler: HANDLER, appearance } })
    expect(made.status).toBe(201)
    expect(made.member("appearance")).toMatchObject({
      logo_url: expect.stringMatching(LOGO),
      dark_logo_url: expect.stringMatching(LOGO)
    })
  })
})

describe("the validation of an appearance", () => {
  const LOGO_FORM = "Appearance.logo must be a PNG or SVG image as a data URL, such as data:image/png;base64,iVBORw…."
  const LOGO_BROKEN = "Appearance.logo is not a valid image, or its type differs from the one in its data URL."
  const LOGO_UNSAFE = "Appearance.logo must not contain scripts, or refer to anything outside the image."
  const LOGO_SIZE = "Appearance.logo must be at most 64 KiB."
  const COLOR = "Appearance.color must be a color such as #0b3d91."
  const script = SVG_LOGO.replace("<path", "<script>alert(1)</script><path")
  const nested = SVG_LOGO.replace(
    "<path",
    `${Array.from({ length: 10 }, (_, n) => `<g id="a${n}"><rect/>${`<use href="#a${n - 1}"/>`.repeat(10)}</g>`).join("")}<path`
  )
  const LOGO_COMPLEX =
    "Appearance.dark logo takes too long to draw: it repeats its parts too often. Use a simpler image."
  const large = Buffer.concat([png(), Buffer.alloc(65_536)])
  const rows: ReadonlyArray<readonly [string, object, ReadonlyArray<string>]> = [
    ["a link as the logo", { logo: "https://acme.example/logo.png" }, [LOGO_FORM]],
    [
      "a logo of another type",
      { logo: `data:image/gif;base64,${Buffer.from("GIF89a").toString("base64")}` },
      [LOGO_FORM]
    ],
    [
      "an HTML page as the logo",
      { logo: `data:text/html;base64,${Buffer.from("<script>").toString("base64")}` },
      [LOGO_FORM]
    ],
    ["a logo that isn't base64", { logo: "data:image/png;base64,<svg>" }, [LOGO_FORM]],
    ["a logo of a different type than declared", { logo: dataUrl("png", SVG_LOGO) }, [LOGO_BROKEN]],
    ["a PNG declared as SVG", { logo: dataUrl("svg+xml", png()) }, [LOGO_BROKEN]],
    [
      "SEC-138: HTML with a PNG signature",
      { logo: dataUrl("png", "\x89PNG\r\n\x1a\n<script>alert(1)</script>") },
      [LOGO_BROKEN]
    ],
    ["SEC-138: a script", { logo: dataUrl("svg+xml", script) }, [LOGO_UNSAFE]],
    ["SEC-250: a drawing with too many repeated elements", { dark_logo: dataUrl("svg+xml", nested) }, [LOGO_COMPLEX]],
    ["a logo that is too large", { logo: dataUrl("png", large) }, [LOGO_SIZE]],
    [
      "a logo with too many pixels",
      { logo: dataUrl("png", png({ width: 5_000 })) },
      ["Appearance.logo must be at most 4096 pixels wide and high."]
    ],
    ["a color name", { color: "navy" }, [COLOR]],
    ["SEC-139: styles in a color", { color: "#fff; } body { display: none" }, [COLOR]],
    ["SEC-139: a URL in a color", { color: "url(https://evil.example)" }, [COLOR]],
    [
      "a name that is too long",
      { name: "x".repeat(256) },
      ["Appearance.name is too long (maximum is 255 characters)."]
    ],
    [
      "a background that is no color",
      { background: "linear-gradient(red, blue)" },
      [COLOR.replace("color", "background")]
    ],
    [
      "an SVG as the logo of emails",
      { email_logo: dataUrl("svg+xml", SVG_LOGO) },
      [
        "Appearance.email logo must be a PNG image as a data URL, such as data:image/png;base64,iVBORw…. Many mail clients don't show SVG images."
      ]
    ],
    [
      "several invalid members",
      { name: "x\0", color: "red", dark_color: "#12", logo: "x", dark_logo: dataUrl("svg+xml", script) },
      [
        "Appearance.name is not valid.",
        COLOR,
        "Appearance.dark color must be a color such as #0b3d91.",
        LOGO_FORM,
        LOGO_UNSAFE.replace("logo", "dark logo")
      ]
    ]
  ]

  test.each(rows)("reports %s", async (_, appearance, sentences) => {
    const { realm, app, set } = await newApp({ color: "#0b3d91" })
    const { result, events } = await realm.seen.during(() => set(appearance))
    expect(statusAndErrors(result)).toEqual([422, sentences])
    expect(events).toEqual([])
    expect((await realm.get(`/v2/client_apps/${app.id}`)).body).toEqual(app.body)
  })

  test("rejects fields of the wrong type", async () => {
    const { set } = await newApp()
    const others = [{ font: "Comic Sans" }, { font: "x;}" }, { radius: "8px" }, { layout: "center" }, { background: 7 }]
    for (const appearance of ["blue", ["#fff"], { color: 7 }, { logo: {} }, ...others]) {
      expect(statusAndErrors(await set(Object(appearance)))[0]).toBe(422)
    }
  })
})

describe("the pages of an app", () => {
  test("show the app's escaped name instead of the realm's name (SEC-139)", async () => {
    const name = `Acme </title><script>alert(1)</script> "Cloud"`
    const { show } = await newApp({ name }, { name: "acme-production" })
    const page = await show()
    expect(/<title>(.*?)<\/title>/.exec(page.text)?.[1]).toBe(
      "Log in – Acme &lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; &quot;Cloud&quot;"
    )
    expect(unescapeHtml(/<bdi>(.*?)<\/bdi>/.exec(page.text)?.[1] ?? "")).toBe(name)
    expect(page.text).not.toContain("acme-production")
  })

  test("use the app's colors in both themes, in a style sheet allowed by its digest", async () => {
    const { show, set } = await newApp()
    const [ours] = stylesOf(await show())
    const plain = policyOf(await show())
    expect(plain).toContain(`style-src ${digestOf(ours ?? "")};`)
    await set({ color: "#0b3d91" })
    const page = await show()
    const [first, brand = ""] = stylesOf(page)
    expect([first, stylesOf(page)]).toEqual([ours, [ours, brand]])
    expect(brand).toMatch(
      /^:root \{ --fill: #0b3d91; .*\n@media \(prefers-color-scheme: dark\) \{ :root \{ --fill: #[\da-f]{6}; /
    )
    expect(policyOf(page)).toBe(plain.replace(digestOf(ours ?? ""), `${digestOf(ours ?? "")} ${digestOf(brand)}`))
    await set({ color: null, dark_color: "#ffd400" })
    expect(stylesOf(await show())[1]).toMatch(/^@media \(prefers-color-scheme: dark\) \{ :root \{ --fill: #ffd400; /)
    await set(null)
    expect([stylesOf(await show()), policyOf(await show())]).toEqual([[ours], plain])
  })

  test("show the app's logo with its name as alt text, and the policy allows the image", async () => {
    const { show, set, realm, app } = await newApp({ name: "Acme", logo: dataUrl("svg+xml", SVG_LOGO) })
    const read = async () => (await realm.get(`/v2/client_apps/${app.id}`)).member("appearance")
    const pathOf = (url: unknown) => new URL(String(url)).pathname
    const light = pathOf(Object(await read()).logo_url)
    const page = await show()
    expect(page.text).toContain(`<picture><img class="logo" src="${light}" alt="Acme"></picture>`)
    expect(policyOf(page)).toContain("; img-src 'self'; ")
    await set({ dark_logo: dataUrl("png", png()) })
    const dark = pathOf(Object(await read()).dark_logo_url)
    expect((await show()).text).toContain(
      `<picture><source srcset="${dark}" media="(prefers-color-scheme: dark)"><img class="logo" src="${light}" alt="Acme"></picture>`
    )
    await set({ logo: null })
    expect((await show()).text).toContain(`<picture><img class="logo" src="${dark}" alt="Acme"></picture>`)
    await set({ dark_logo: null })
    const without = await show()
    expect([without.text.includes("<img"), policyOf(without).includes("img-src")]).toEqual([false, false])
  })

  test("don't mention Sallyport", async () => {
    const { show } = await newApp({ name: "Acme" }, { name: uniqueText("Acme") })
    for (const page of ["/login", "/signup", "/forgot"]) {
      expect((await show(page)).text).not.toMatch(/sallyport|powered by/i)
    }
  })
})

describe("SEC-138: a logo", () => {
  const expectImageResponse = ({ status, headers }: Reply, type: string) => {
    expect([status, headers.get("content-type"), headers.get("x-content-type-options")]).toEqual([200, type, "nosniff"])
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
    )
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
    expect(headers.get("set-cookie")).toBe(null)
  }

  test("is served only as an image, only at its app's host and only while the app uses the logo", async () => {
    const file = Buffer.concat([png(), Buffer.from("<!doctype html><script>alert(1)</script>")])
    const { show, set, realm, app } = await newApp({
      logo: dataUrl("svg+xml", SVG_LOGO),
      dark_logo: dataUrl("png", file)
    })
    const [logo, darkLogo] = [app.string("appearance", "logo_url"), app.string("appearance", "dark_logo_url")]
    expect(new URL(logo).host).toBe(app.string("domains", 0))
    const drawing = await show(logo)
    expectImageResponse(drawing, "image/svg+xml")
    expect(drawing.text).toBe(SVG_LOGO)
    const image = await show(darkLogo)
    expectImageResponse(image, "image/png")
    expect(image.text).not.toContain("script")

    const head = await new Browser(realm.transport).go(logo, { method: "HEAD" })
    expect([head.status, head.text]).toEqual([200, ""])
    const post = await new Browser(realm.transport).go(logo, { method: "POST" })
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"])

    const other = await newApp({ logo: dataUrl("png", png({ width: 2 })) })
    expect((await other.show(new URL(logo).pathname)).status).toBe(404)
    expect((await show("/assets/logos/..%2f..%2fetc%2fpasswd")).status).toBe(404)
    expect((await show("/assets/logos/null")).status).toBe(404)

    await set({ logo: dataUrl("png", png({ height: 3 })) })
    expect([(await show(logo)).status, (await show(darkLogo)).status]).toEqual([404, 200])
    await realm.delete(`/v2/client_apps/${app.id}`)
    expect((await show(darkLogo)).status).toBe(404)
  })

  test("stays available as long as one of two identical logos is used", async () => {
    const image = dataUrl("png", png())
    const { show, set, app } = await newApp({ logo: image, dark_logo: image })
    const url = app.string("appearance", "logo_url")
    expect(app.string("appearance", "dark_logo_url")).toBe(url)
    await set({ logo: null })
    expect((await show(url)).status).toBe(200)
    await set({ dark_logo: null })
    expect((await show(url)).status).toBe(404)
  })
})

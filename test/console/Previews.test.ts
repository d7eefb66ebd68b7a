import { expect, test } from "vitest"
import { realmMails } from "#domain/DefaultMail"
import { previewedPages } from "#domain/PreviewedPage"
import { anonymousCaller, ownHeaders, signedIn } from "../support/console.ts"
import { tagsOf, visibleText } from "../support/pages.ts"
import { service } from "../support/sallyport.ts"

const png =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="

const attack = `"><img src=x onerror=alert(1)><script>alert(2)</script></style></title>`

/** An app, and a console page logged in with a key of its realm. */
const given = async () => {
  const { given, transport } = await service()
  const realm = await given.realm()
  const app = String((await realm.post("/v2/client_apps", { client_app: { name: "Notes" } })).member("id"))
  const page = await signedIn(transport, (await realm.as("read")).key ?? "")
  const show = (draft: object, look: object = {}, at = `/console/preview/apps/${app}`) =>
    page.call("POST", at, { body: { page: "login", theme: "light", locale: "en", ...look, client_app: draft } })
  return { given, transport, realm, app, page, show }
}

test("C217: shows unsaved settings in a preview without saving the settings", async () => {
  const { realm, app, show } = await given()
  const caused = await realm.seen.caused(async () => {
    const draft = { appearance: { name: "Brand & Co", color: "#7c3aed", logo: png }, footer: "<p>Imprint</p>" }
    const login = await show(draft)
    expect([login.status, login.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
    expect(visibleText(login)).toContain("Imprint")
    expect(login.text).toContain("--fill: #7c3aed")
    expect(login.text).toContain('alt="Brand &amp; Co"')
    expect(login.text).toContain('src="data:image/png;base64,')
    expect(login.text).not.toContain("<script")
    expect(login.text).not.toContain("prefers-color-scheme")
    // Elements that a script would reveal are visible without one.
    expect(login.text).toMatch(/<form class="passkey" [^>]*novalidate data-passkey="get"/)
    const signup = await show({ require_names: true }, { page: "signup", locale: "es", theme: "dark" })
    expect(visibleText(signup)).toContain("Apellidos")
    expect(signup.text).toContain("@media all")
    expect(visibleText(await show({}, { page: "profile" }))).toContain("Ada Lovelace")
  })
  expect(caused).toEqual([])
  expect((await realm.get(`/v2/client_apps/${app}`)).member("appearance", "name")).toBeNull()
})

test.each(previewedPages)("C217: previews the page %s in both languages", async (page) => {
  const { show } = await given()
  const [en, es] = [await show({}, { page }), await show({}, { page, locale: "es", theme: "dark" })]
  expect([en.status, es.status]).toEqual([200, 200])
  expect(en.text).toContain('<html lang="en">')
  expect(es.text).toContain('<html lang="es">')
  expect(tagsOf(es).length).toBeGreaterThan(20)
  expect(visibleText(es)).not.toBe(visibleText(en))
})

test("C217: previews pages as they look after a mistake", async () => {
  const { show } = await given()
  const texts = { login_failed: "Incorrect", code_failed: "That code is incorrect", reset_failed: "too short" }
  for (const [page, text] of Object.entries(texts)) {
    const shown = await show({}, { page })
    expect([page, shown.text.includes('role="alert"') || shown.text.includes('aria-invalid="true"')]).toEqual([
      page,
      true
    ])
    expect(visibleText(shown)).toContain(text)
  }
  expect(visibleText(await show({}, { page: "password_failed" }))).toContain("Your current password is incorrect.")
  expect(visibleText(await show({}, { page: "provider_failed" }))).toContain("Try Google again")
})

test("C217: previews the security page and the team with all their parts in a realm that has turned them off", async () => {
  const { show } = await given()
  const security = visibleText(await show({}, { page: "security" }))
  for (const part of ["MacBook", "Two-step verification", "You have 8 codes left.", "Google", "Safari on iPhone"])
    expect(security).toContain(part)
  expect(security).toContain("Delete my account")
  const team = visibleText(await show({}, { page: "team" }))
  expect(team).toContain("Charles Babbage")
  expect(team).toContain("george@example.com")
})

test("C218: previews pages as browsers with passkeys show them", async () => {
  const { show } = await given()
  const enrolment = await show({}, { page: "enrolment" })
  expect(visibleText(enrolment)).toContain("Create a passkey")
  expect(enrolment.text).toContain('<div data-passkeys="with">')
  expect(enrolment.text).toContain('<p hidden data-passkeys="without">')
})

test.each(realmMails)("C217: previews the email %s with the unsaved look in both languages", async (page) => {
  const { realm, show } = await given()
  const draft = { appearance: { name: "Brand & Co", color: "#7c3aed", background: "#fde7ef", email_logo: png } }
  const { result: en, events } = await realm.seen.during(() => show(draft, { page }))
  expect([en.status, events]).toEqual([200, []])
  expect(en.text).toContain('<html lang="en"')
  expect(en.text).toContain('bgcolor="#fde7ef"')
  expect(en.text).toContain(`src="${png}" alt="Brand &amp; Co"`)
  expect(en.text).toContain("@media not all")
  const es = await show(draft, { page, locale: "es", theme: "dark" })
  expect(es.text).toContain('<html lang="es"')
  expect(es.text).toContain("@media all")
  expect(visibleText(es)).not.toBe(visibleText(en))
})

test("C217: the preview of a default email has the text that the realm has changed", async () => {
  const { realm, show } = await given()
  const hooks = await realm.get(`/v2/hooks?realm_id=${realm.id}&hook_type=email&max_results=100`)
  const reset = hooks.items.find(({ event_type }) => String(event_type) === "user.password.resetting")
  const mail = { email_subject: "Own", email_template: "Our own text for {{full_name}}" }
  await realm.put(`/v2/hooks/${reset?.["id"]}`, { hook: mail })
  expect(visibleText(await show({}, { page: "user.password.resetting" }))).toContain("Our own text for Ada Lovelace")
})

test("SEC-215: prevents values in a draft from becoming markup, a style or a script of the preview", async () => {
  const { show } = await given()
  const plain = tagsOf(await show({ appearance: { name: "Notes" } }))
  const refused = {
    appearance: { name: attack, color: `#fff}</style>${attack}`, dark_color: "red;x:url(//evil)" },
    external_css: "javascript:alert(1)"
  }
  const shown = await show(refused)
  expect(shown.status).toBe(200)
  expect(tagsOf(shown)).toEqual(plain)
  expect(shown.text).not.toMatch(/evil|javascript:/)
  const markup = await show({ header: attack, footer: '<a href="javascript:alert(1)" onclick="alert(2)">x</a>' })
  expect(markup.text).not.toMatch(/onerror|onclick|javascript:|<script/)
  expect(markup.headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'; sandbox")
})

test("SEC-216: allows previews only for console sessions in their key's realm", async () => {
  const { given: other, transport, app, page, show, realm } = await given()
  const at = `/console/preview/apps/${app}`
  const body = { page: "login", theme: "light", locale: "en", client_app: {} }
  const nobody = await anonymousCaller(transport).call("POST", at, {
    body,
    headers: { host: "id.example.test", ...ownHeaders }
  })
  expect([nobody.status, nobody.member("error_details", 0, "code")]).toEqual([401, "console_session_over"])
  const elsewhere = await page.call("POST", at, { body, headers: { origin: "https://evil.example" } })
  expect([elsewhere.status, elsewhere.member("error_details", 0, "code")]).toEqual([403, "console_other_site"])
  const foreign = await other.realm()
  const theirs = String((await foreign.post("/v2/client_apps", { client_app: { name: "Theirs" } })).member("id"))
  const client = { name: "Client", client_type: "machine" }
  const clientId = String((await realm.post("/v2/client_apps", { client_app: client })).member("id"))
  for (const id of [theirs, clientId, "lpl_none"])
    expect([id, (await show({}, {}, `/console/preview/apps/${id}`)).status]).toEqual([id, 404])
  expect((await show({}, {}, `/console/preview/apps/${theirs}?realm_id=${foreign.id}`)).status).toBe(404)
  expect((await show({}, { page: "admin" })).status).toBe(422)
})

test("SEC-215: gives the preview frame no origin and allows only its own script", async () => {
  const { transport } = await service()
  const headers = { host: "id.example.test" }
  const frame = await anonymousCaller(transport).call("GET", "/console/preview/frame", { headers })
  const policy = frame.headers.get("content-security-policy")?.split("; ") ?? []
  expect([frame.status, frame.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("sandbox allow-scripts")
  expect(policy).toContain("frame-ancestors 'self'")
  expect(policy).toContain("img-src data: https:")
  const mail = await anonymousCaller(transport).call("GET", "/console/preview/mail", { headers })
  // Emails load no remote resources, except the logos of apps.
  expect(mail.headers.get("content-security-policy")).toBe(
    policy
      .map((one) => {
        if (one.startsWith("style-src")) return "style-src 'unsafe-inline'"
        if (one.startsWith("font-src")) return "font-src data:"
        return one.startsWith("img-src") ? "img-src data: https://*.local.localhost" : one
      })
      .join("; ")
  )
  expect(policy.filter((one) => one.startsWith("script-src"))).toEqual([
    expect.stringMatching(/^script-src 'sha256-[^ ]+'$/)
  ])
})

test("SEC-234: rejects an overlong list in a draft before decoding its elements", async () => {
  const { show } = await given()
  const reply = await show({ redirect_uris: Array(120_000).fill(7) })
  const problems = [reply.member("error_details")].flat()
  expect([reply.status, problems]).toMatchObject([422, [{ field: "redirect_uris", code: "too_many" }]])
})

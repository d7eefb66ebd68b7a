import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { appVersions, minimalApp } from "../support/apps.ts"
import { rejectionOf } from "../support/invitations.ts"
import { newRealm } from "../support/sallyport.ts"

const problemsOf = (reply: Reply, details = reply.member("error_details")) => {
  return Array.isArray(details) ? details.map(({ field, code }) => `${field} ${code}`).toSorted() : []
}

describe.each(appVersions)("$path", ({ version, path, wrapper }) => {
  test("reports every problem at once without creating an app", async () => {
    const realm = await newRealm()
    const events = await realm.seen.caused(async () => {
      const nothing = await realm.post(path, { [wrapper]: {} })
      const needed = version === "v1" ? ["login_handler blank", "name blank"] : ["name blank"]
      expect([nothing.status, problemsOf(nothing)]).toEqual([422, needed])
      const wrong = await realm.post(path, {
        [wrapper]: {
          name: "n".repeat(256),
          subdomain: "a b",
          header: "a\u0000b",
          footer: "f".repeat(65_537),
          external_css: "data:text/css,*{}",
          login_handler: "javascript:alert(1)",
          signup_handler: `https://app.example.test/${"p".repeat(2_048)}`,
          redirect_uris: ["https://app.example.test/ok", "https://app.example.test/#no"],
          logout_uris: ["https://app.example.test/ok", "javascript:alert(1)"]
        }
      })
      expect([wrong.status, problemsOf(wrong)]).toEqual([
        422,
        [
          "external_css url_form",
          "footer too_long",
          "header invalid",
          "login_handler url_form",
          "logout_uris redirect_form",
          "name too_long",
          "redirect_uris url_parts",
          "signup_handler too_long",
          "subdomain subdomain_form"
        ]
      ])
      const types = await realm.post(path, {
        [wrapper]: {
          name: 7,
          subdomain: [],
          header: {},
          external_css: 1,
          login_handler: true,
          redirect_uris: {},
          logout_uris: 7,
          signup_mode: "all",
          require_names: "maybe",
          allow_jsonp: 2,
          auto_continue: "perhaps",
          allow_invitations: "often",
          invitation_permissions: 7,
          state: "on"
        }
      })
      expect([types.status, problemsOf(types)]).toEqual([
        422,
        [
          "allow_invitations not_boolean",
          "allow_jsonp not_boolean",
          "auto_continue not_boolean",
          "external_css not_text",
          "header not_text",
          "invitation_permissions not_list",
          "login_handler not_text",
          "logout_uris not_list",
          "name not_text",
          "redirect_uris not_list",
          "require_names not_boolean",
          "signup_mode inclusion",
          "state inclusion",
          "subdomain not_text"
        ]
      ])
      expect((await realm.post(path, minimalApp())).status).toBe(400)
      expect((await realm.post(path, { [wrapper]: minimalApp({ redirect_uris: [1] }) })).status).toBe(422)
    })
    expect(events).toEqual([])
    expect((await realm.get(path)).items).toEqual([])
  })

  test("applies the same rules to updates, and leaves the app unchanged if a rule is broken", async () => {
    const realm = await newRealm()
    const made = await realm.connectedApp()
    const events = await realm.seen.caused(async () => {
      for (const change of [
        { name: "" },
        { name: null },
        { login_handler: "ftp://app.example.test/" },
        { redirect_uris: [""] },
        { state: null },
        { header: "\ud800" }
      ]) {
        const reply = await realm.put(`${path}/${made.id}`, { [wrapper]: { footer: "x", ...change } })
        expect([change, reply.status]).toEqual([change, 422])
      }
    })
    expect(events).toEqual([])
    expect((await realm.get(`/v2/client_apps/${made.id}`)).body).toEqual(made.body)
  })

  test("accepts up to 64 KiB for header and footer", async () => {
    const realm = await newRealm()
    const header = "é".repeat(65_536)
    const made = await realm.post(path, { [wrapper]: minimalApp({ header }) })
    expect([made.status, made.member("header")]).toEqual([201, header])
    const reply = await realm.post(path, { [wrapper]: minimalApp({ header: `${header}x` }) })
    expect(rejectionOf(reply)).toEqual({
      status: 422,
      errors: ["Header is too long (maximum is 65536 characters)."]
    })
  })

  test("accepts a header or footer that is over 64 KiB only after cleaning", async () => {
    const realm = await newRealm()
    const made = await realm.post(path, { [wrapper]: minimalApp({ footer: "&".repeat(65_536) }) })
    expect([made.status, made.string("footer").length]).toEqual([201, 5 * 65_536])
    const reply = await realm.put(`${path}/${made.id}`, { [wrapper]: { name: "Other", header: "x" } })
    expect([reply.status, reply.body]).toEqual([200, { ...Object(made.body), name: "Other", header: "x" }])
  })

  test("C125: rejects admin permissions and malformed tags for users invited on the pages", async () => {
    const realm = await newRealm()
    const many = Array.from({ length: 21 }, (_, n) => `tag${n}`)
    for (const [tags, sentence] of [
      [["notes:read", "ar:owner"], "can't include ar:owner or ar:admin."],
      [["AR:other"], "can't include ar:owner or ar:admin."],
      ["notes read/write", "may contain only letters, digits and * : ; . _ - in each tag."],
      [many, "may contain at most 20 tags."]
    ] as const) {
      const reply = await realm.post(path, { [wrapper]: minimalApp({ invitation_permissions: tags }) })
      expect(rejectionOf(reply)).toEqual({ status: 422, errors: [`Invitation permissions ${sentence}`] })
    }
    const words = await realm.post(path, { [wrapper]: minimalApp({ invitation_permissions: "b a b" }) })
    expect([words.status, words.member("invitation_permissions")]).toEqual([201, ["b", "a"]])
  })

  test("accepts 100 redirect URIs and 100 logout URIs, counting different spellings of a URI once", async () => {
    const realm = await newRealm()
    const uris = Array.from({ length: 100 }, (_, n) => `https://app.example.test/${n}`)
    const again = ["HTTPS://APP.example.test:443/0", "https://app.example.test/x/../1"]
    for (const [field, label] of [
      ["redirect_uris", "Redirect URIs"],
      ["logout_uris", "Logout URIs"]
    ] as const) {
      const most = await realm.post(path, { [wrapper]: minimalApp({ [field]: [...uris, ...again] }) })
      expect([most.status, most.member(field)]).toEqual([201, uris])
      const app = minimalApp({ [field]: [...uris, "https://other.example.test/"] })
      const reply = await realm.post(path, { [wrapper]: app })
      expect(rejectionOf(reply)).toEqual({ status: 422, errors: [`${label} may contain at most 100 items.`] })
    }
  })
})

const dangerous = [
  "javascript:alert(1)",
  "JavaScript://app.example.test/%0aalert(1)",
  "data:text/html,x",
  "vbscript:x",
  "file:///etc/passwd",
  "blob:https://app.example.test/x",
  "about:blank",
  "ftp://app.example.test/",
  "//app.example.test/",
  "/login",
  "app.example.test/login",
  "https://",
  "https:app.example.test",
  "https://app.example.test\\@evil.test",
  "https://app.example.test/a b",
  "https://app.example.test/\u0000",
  "https://app.example.test/\u202e",
  "java\nscript:alert(1)",
  "http://app.example.test/",
  "http://localhost.evil.test/",
  "http://127.0.0.1.evil.test/",
  "http://192.168.0.1/",
  "http://[::2]/"
]

describe("SEC-32 (CVE-2026-29192): the validation of URLs that receive tokens", () => {
  test.each(dangerous)("rejects %j as handler, style sheet and redirect URI", async (url) => {
    const realm = await newRealm()
    for (const attributes of [
      { login_handler: url },
      { signup_handler: url },
      { external_css: url },
      { redirect_uris: [url] },
      { logout_uris: [url] }
    ]) {
      const reply = await realm.post("/v1/login_policies", { login_policy: minimalApp(attributes) })
      expect([attributes, reply.status, reply.member("error_details", 0, "field")]).toEqual([
        attributes,
        422,
        Object.keys(attributes)[0]
      ])
    }
  })

  test.each([
    ["en", "Login handler must be an https URL. http is fine on localhost."],
    ["es", "URL de inicio de sesión: debe ser una URL https. Se admite http en localhost."]
  ])("explains in %s where http URLs are allowed", async (language, sentence) => {
    const realm = await newRealm()
    const reply = await realm.call("POST", "/v2/client_apps", {
      headers: { "accept-language": language },
      body: { client_app: { name: "Plain", login_handler: "http://app.example.test/" } }
    })
    expect(rejectionOf(reply)).toEqual({ status: 422, errors: [sentence] })
    expect(reply.member("error_details", 0, "code")).toBe("page_scheme")
  })

  test("rejects a realm's resource links that aren't https or local, or that could run code", async () => {
    const realm = await newRealm()
    for (const url of dangerous) {
      const resource_links = [{ resource: "org", title: "CRM", url }]
      const reply = await realm.put(`/v2/realms/${realm.id}`, { realm: { resource_links } })
      expect([url, ...Object.values(rejectionOf(reply))]).toEqual([url, 422, [expect.any(String)]])
    }
  })

  test.each([
    "https://user@app.example.test/",
    "https://:secret@app.example.test/",
    "https://app.example.test/#",
    "https://app.example.test/#token"
  ])("rejects %s because of its user, password or fragment", async (url) => {
    const realm = await newRealm()
    for (const [field, sentence] of [
      ["login_handler", "Login handler"],
      ["signup_handler", "Signup handler"],
      ["external_css", "External CSS"]
    ] as const) {
      const reply = await realm.post("/v1/login_policies", { login_policy: minimalApp({ [field]: url }) })
      const errors = [`${sentence} can't contain a username, password or fragment.`]
      expect(rejectionOf(reply)).toEqual({ status: 422, errors })
    }
  })

  test.each([
    "https://app.example.test/login?a=b&c=%20",
    "HTTPS://APP.EXAMPLE.TEST",
    "https://192.168.0.1:8443/",
    "https://bücher.example/",
    "http://localhost",
    "http://localhost:3000/login",
    "http://acme.localhost:3000/",
    "http://127.0.0.1:8080/",
    "http://127.1/",
    "http://[::1]:8080/"
  ])("accepts %s and stores it as entered", async (url) => {
    const realm = await newRealm()
    const app = minimalApp({
      login_handler: url,
      signup_handler: url,
      external_css: url,
      redirect_uris: [url],
      logout_uris: [url]
    })
    const made = await realm.post("/v1/login_policies", { login_policy: app })
    expect([made.status, made.body]).toMatchObject([201, app])
  })
})

describe("the validation of redirect URIs with an app's own scheme", () => {
  test.each([
    "com.example.app:/login",
    "com.example.app://login/back?x=1",
    "COM.Example.App://",
    "io.acme.phone-2:/"
  ])("accepts %s", async (uri) => {
    const realm = await newRealm()
    const made = await realm.post("/v1/login_policies", { login_policy: minimalApp({ redirect_uris: [uri] }) })
    expect([made.status, made.member("redirect_uris")]).toEqual([201, [uri]])
  })

  test.each([
    ["acme://login", "redirect_form"],
    ["intent://x#Intent;end", "redirect_form"],
    ["com.example.app:login", "redirect_form"],
    ["com.example.app", "redirect_form"],
    [".com.example:/x", "redirect_form"],
    ["com.example.app:/a b", "redirect_form"],
    ["com.example.app:/a\\b", "redirect_form"],
    ["com.example.app:/#x", "url_parts"],
    ["com.example.app://user@host/", "url_parts"],
    ["", "redirect_form"]
  ])("rejects %j", async (uri, code) => {
    const policy = minimalApp({ redirect_uris: [uri] })
    const reply = await (await newRealm()).post("/v1/login_policies", { login_policy: policy })
    expect([reply.status, problemsOf(reply)]).toEqual([422, [`redirect_uris ${code}`]])
  })
})

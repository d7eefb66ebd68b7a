import { decodeJwt, decodeProtectedHeader } from "jose"
import { beforeAll, expect, test } from "vitest"
import { decoder } from "#client/Decode"
import type { Started } from "#testing/promise"
import { sharedKit } from "../support/kit.ts"

let kit: Started

beforeAll(async () => {
  kit = await sharedKit()
})

test("gives a realm an API key that can access only this realm", async () => {
  const [mine, other] = [await kit.realm({ name: "Mine", session_minutes: 30 }), await kit.realm()]
  const own = await mine.call("GET", `/v2/realms/${mine.id}`)
  expect([own.status, own.id, own.member("name"), own.member("session_minutes")]).toEqual([200, mine.id, "Mine", 30])
  const user = await other.user()
  expect((await mine.call("GET", `/v2/users/${user.id}`)).status).toBe(404)
  expect((await mine.call("GET", `/v2/realms/${other.id}`)).status).toBe(404)
})

test("gives users unique emails, and logs them in without a password", async () => {
  const realm = await kit.realm()
  const [ada, bob] = [await realm.user({ first_name: "Ada" }), await realm.user()]
  expect([ada.first_name, ada.email !== bob.email, ada.credentials]).toEqual(["Ada", true, []])
  const login = await realm.login(ada)
  expect([login.user_id, login.user.email]).toEqual([ada.id, ada.email])
  expect(decodeJwt(login.token)).toMatchObject({ sub: ada.id, sid: login.id })
  expect((await realm.login()).user_id).not.toBe(ada.id)
  await kit.advance("1 minute")
  expect((await realm.call("GET", `/v2/sessions/${login.id}`)).status).toBe(200)
})

test("verifies a realm's tokens by the issuer, although realms share key pairs", async () => {
  const [realm, other] = [await kit.realm(), await kit.realm()]
  const { token, id } = await realm.login()
  const { token: foreign } = await other.login()
  const issuer = (realmId: string) => `${kit.url}/realms/${realmId}`
  const decode = decoder({ issuer: issuer(realm.id), now: kit.now })
  expect([await decode(token), await decode(foreign)]).toMatchObject([{ id }, null])
  expect(await decoder({ jwks: new URL(`${issuer(other.id)}/jwks`), now: kit.now })(token)).toBe(null)
})

test("signs with hs256 if the realm's settings say so", async () => {
  const { token } = await (await kit.realm({ jwt_algo: "hs256" })).login()
  expect(decodeProtectedHeader(token).alg).toBe("HS256")
})

test("reports rejected test data in the call itself", async () => {
  const realm = await kit.realm()
  await expect(realm.user({ email: "nobody" })).rejects.toThrow("Email is not a valid email address.")
  await expect(kit.realm({ session_minutes: -1 })).rejects.toThrow("422")
  const misspelt: unknown = { nme: "Mine" }
  await expect(Reflect.apply(kit.realm, kit, [misspelt])).rejects.toThrow(
    "A realm has no setting nme. Did you mean name?"
  )
  await expect(Reflect.apply(kit.realm, kit, [{ colour: "red" }])).rejects.toThrow(
    "no setting colour. They are: name, "
  )
  for (const [called, misspelt, told] of [
    [realm.user, { emial: "jo@example.com" }, "A user has no member emial. Did you mean email?"],
    [realm.app, { nmae: "Notes" }, "An app has no setting nmae. Did you mean name?"]
  ] as const) {
    await expect(Reflect.apply(called, realm, [misspelt])).rejects.toThrow(told)
  }
  expect((await realm.sallyport.users.list()).items).toEqual([])
})

test("names an unreachable URL in the browser's error and states that the URL isn't the service's", async () => {
  await expect(kit.browser().open("http://127.0.0.1:1/")).rejects.toThrow(
    /^http:\/\/127\.0\.0\.1:1\/ can't be reached: .+\. It is not a page of the service or of a fake provider\.$/
  )
})

test("logs in a user with the browser, through an app's pages and back to the app", async () => {
  const realm = await kit.realm()
  const user = await realm.user({ password: "correct horse battery" })
  const app = await realm.app({ login_handler: "https://notes.example.com/back" })
  const browser = kit.browser()
  expect(() => browser.page).toThrow("No page is open yet. Call open() first.")
  const page = await browser.open(app.login_url)
  expect([page.status, page.text]).toEqual([200, expect.stringContaining("Email or username")])
  await expect(browser.submit({ colour: "red" })).rejects.toThrow('Its forms: "Log in" (name, password)')
  const wrong = await browser.submit({ name: user.email ?? "", password: "wrong" })
  expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining("Incorrect username or password")])
  const { url, status, html } = await browser.submit({ name: user.email ?? "", password: "correct horse battery" })
  expect([url.origin + url.pathname, status, html]).toEqual(["https://notes.example.com/back", 303, ""])
  expect(decodeJwt(url.searchParams.get("token") ?? "")["sub"]).toBe(user.id)
  const profile = await browser.open(new URL("/profile", app.login_url))
  expect(profile.html).toContain(user.email)
  expect(profile.text).not.toContain("&#")
  expect(profile.text).toMatch(/email/i)
  await expect(browser.click("Nowhere")).rejects.toThrow('No link with the words "Nowhere"')
  expect((await kit.browser().open(new URL("/profile", app.login_url))).url.pathname).toBe("/login")
})

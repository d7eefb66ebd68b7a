import { beforeAll, expect, test } from "vitest"
import type { Started } from "#testing/promise"
import { sharedKit } from "../support/kit.ts"

let kit: Started

beforeAll(async () => {
  kit = await sharedKit()
})

test("retries failed emails until they are sent exactly once", async () => {
  const realm = await kit.realm()
  kit.failNext("mail", 2)
  const user = await realm.user({ email: "jo@mails.example.com", email_verification: "requested" })
  const began = kit.now()
  await kit.advance(0)
  expect(kit.inbox("jo@mails.example.com")).toEqual([])
  await kit.advance("1 day")
  const mails = kit.inbox("jo@mails.example.com")
  expect([mails.length, (mails[0]?.at ?? 0) > began]).toEqual([1, true])
  const { items } = await realm.call("GET", "/v2/events?event_type=user.email.verification_requested")
  const event = await realm.call("GET", `/v2/events/${String(items[0]?.["id"])}`)
  expect([items[0]?.["user_id"], event.member("notifications", 0, "state")]).toEqual([user.id, "completed"])
})

test("retries webhooks whose destination is unreachable", async () => {
  const realm = await kit.realm()
  const destination = "https://faulty.example.com/hook"
  await realm.call("POST", "/v2/hooks", { hook: { destination, event_type: "org.created" } })
  kit.failNext("webhook", 2)
  const began = kit.now()
  await realm.call("POST", "/v2/orgs", { org: { name: "Org" } })
  await kit.advance("1 day")
  const minutes = kit.deliveries(destination).map(({ at }) => Math.floor((at - began) / 60_000))
  expect(minutes).toEqual([0, 0, 5])
})

test("shows an error page for an unreachable provider, from which the user can retry", async () => {
  const realm = await kit.realm()
  const google = await realm.provider("google")
  google.person({ email: "jo@faulty.example.com" })
  const browser = kit.browser()
  await browser.open((await realm.app()).login_url)
  kit.failNext("provider")
  const page = await browser.click("Google")
  expect([page.status, page.text]).toEqual([422, expect.stringContaining("Google can't be reached right now.")])
  expect((await realm.call("GET", "/v2/users")).items).toEqual([])
  expect((await browser.click("Try Google again")).url.host).toBe("app.example.com")
})

test("returns 503 and changes nothing if the database fails, and succeeds on the next attempt", async () => {
  const realm = await kit.realm()
  kit.failNext("database", 2)
  const send = () => realm.call("POST", "/v2/orgs", { org: { name: "Org" } })
  for (const failed of [await send(), await send()]) {
    expect([failed.status, failed.errors, failed.headers.get("retry-after")]).toEqual([
      503,
      ["The service can't reach its database. Try again in a moment."],
      "1"
    ])
    expect(failed.string("request_id")).toBe(failed.headers.get("x-request-id"))
  }
  expect((await realm.call("GET", "/v2/orgs")).items).toEqual([])
  expect((await send()).status).toBe(201)
  expect((await realm.call("GET", "/v2/orgs")).items.length).toBe(1)
  expect((await realm.call("GET", "/v2/events?event_type=org.created")).items.length).toBe(1)
})

test("shows an error page if the database fails during a page request", async () => {
  const { login_url } = await (await kit.realm()).app()
  const browser = kit.browser()
  kit.failNext("database")
  expect((await browser.open(login_url)).status).toBe(503)
  expect((await browser.open(login_url)).status).toBe(200)
})

test("applies a planned fault until it happens, is replaced, or is canceled with 0", async () => {
  const realm = await kit.realm()
  kit.failNext("database", 5)
  await kit.advance("1 hour")
  kit.clear()
  expect((await realm.call("GET", "/v2/orgs")).status).toBe(503)
  kit.failNext("database", 1)
  expect((await realm.call("GET", "/v2/orgs")).status).toBe(503)
  expect((await realm.call("GET", "/v2/orgs")).status).toBe(200)
  kit.failNext("database", 1)
  kit.failNext("database", 0)
  expect((await realm.call("GET", "/v2/orgs")).status).toBe(200)
})

test("rejects unknown faults and invalid counts in the call itself", () => {
  const call = (...args: ReadonlyArray<unknown>) => Reflect.apply(kit.failNext, undefined, args)
  expect(() => call("disk")).toThrow(
    'Not something that can fail: \'disk\'. Use "mail", "webhook", "provider", "database".'
  )
  for (const times of [-1, 1.5, 1_001, "2", Number.NaN]) {
    expect(() => call("mail", times)).toThrow("Use a whole number from 0 to 1000.")
  }
})

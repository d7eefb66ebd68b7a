import { expect, test, vi } from "vitest"
import { clockedService } from "../support/sallyport.ts"
import { visitorAtApp } from "../support/visitor.ts"

test("C158: emails are sent in the name on the app's pages, which is app_name in templates; realm_name is the realm's own name", async () => {
  const { given, advance, postbox } = await clockedService()
  const realm = await given.realm({ name: "acme-production", email_verification: "request" })
  const { visitor, email } = await visitorAtApp(realm, { app: { appearance: { name: "Acme" } } })
  const mailed = async () => {
    await visitor.send("/forgot", { name: email })
    await vi.waitUntil(async () => {
      await advance("1 second")
      return postbox.to(email).length > 0
    }, 10_000)
    return postbox.take(email)[0]
  }
  const usual = await mailed()
  expect([usual?.subject, usual?.from.name]).toEqual(["Reset your Acme password", "Acme"])
  expect(usual?.text).not.toContain("acme-production")

  const hooks = await realm.get(`/v2/hooks?realm_id=${realm.id}&hook_type=email&max_results=100`)
  const reset = hooks.items.find(({ event_type }) => String(event_type) === "user.password.resetting")
  await realm.put(`/v2/hooks/${reset?.["id"]}`, {
    hook: { email_subject: "{{realm_name}}", email_template: "{{url}} for {{app_name}}" }
  })
  const own = await mailed()
  expect([own?.subject, own?.from.name]).toEqual(["acme-production", "Acme"])
  expect(own?.text).toContain(" for Acme")
})

test("C158: a copy of a default email's subject or template says the same as the default", async () => {
  const { given } = await clockedService()
  const realm = await given.realm({ name: "acme-production" })
  await realm.post("/v2/client_apps", { client_app: { name: "Notes", appearance: { name: "Acme" } } })
  const { items } = await realm.get(`/v2/hooks?realm_id=${realm.id}&hook_type=email&max_results=100`)
  const reset = items.find(({ event_type }) => String(event_type) === "user.password.resetting")
  const saved = await realm.get(`/v2/hooks/${reset?.["id"]}`)
  const [email_subject, email_template] = [saved.string("email_subject"), saved.string("email_template")]
  const preview = async (hook: object) => {
    const sent = { realm_id: realm.id, event_type: ["user.password.resetting"], email_renderer: "markdown", ...hook }
    const { body } = await realm.post("/v2/hooks/preview", { hook: sent })
    return body
  }
  const copied = await preview({ email_subject, email_template })
  expect(JSON.stringify(copied)).not.toContain("acme-production")
  expect(copied).toMatchObject({ subject: "Reset your Acme password" })
})

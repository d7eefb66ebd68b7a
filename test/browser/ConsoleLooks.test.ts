import { describe, expect, test } from "vitest"
import { sound } from "./Axe.ts"
import { type Look, titleOf } from "./Browser.ts"
import { type ConsoleVisitor, visitingConsole } from "./ConsoleVisit.ts"
import { furnishedRealm } from "./FurnishedRealm.ts"

const looks: ReadonlyArray<Look> = [
  { width: 1280, scheme: "light", scripts: true },
  { width: 1280, scheme: "dark", scripts: true },
  { width: 390, scheme: "light", scripts: true },
  { width: 390, scheme: "dark", scripts: true }
]
import { expect, test } from "vitest"
import { soundInEveryLook } from "./Axe.ts"
import type { Visitor } from "./Browser.ts"
import { type ConsoleVisitor, consoleRealm, visitingConsole } from "./ConsoleVisit.ts"
import { browserService } from "./Service.ts"

/** A realm with something on every page. */
const furnished = async () => {
  const { advance, given } = await browserService()
  const { realm, at } = await consoleRealm({ name: "Harbor", jwt_algo: "rs256", jwt_scopes: ["ar.orgs"] })
  const org = await realm.org({ name: "Analytical Engines", reference: "acc-1815" })
  const user = await realm.user({ first_name: "Ada", last_name: "Lovelace", username: "ada" })
  await realm.membership(user.id, org.id, { permissions: ["ar:owner"] })
  await realm.session(user.id)
  const invitation = await realm.invitation({ org_id: org.id, email: "grace@example.test" })
  const app = await realm.connectedApp({ name: "Notebook" })
  const client = await realm.post("/v2/client_apps", {
    client_app: { name: "Grafana", client_type: "web", redirect_uris: ["https://grafana.example.test/login"] }
  })
  const provider = await realm.authProvider()
  const hook = await realm.post("/v2/hooks", {
    hook: { realm_id: realm.id, destination: "http://127.0.0.1:9/hook", event_type: [] }
  })
  const mail = await realm.post("/v2/hooks", {
    hook: {
      realm_id: realm.id,
      hook_type: "email",
      event_type: ["user.created"],
      email_subject: "Welcome, {{first_name}}",
      email_template: "Hello {{full_name}}!"
    }
  })
  await realm.user({ first_name: "Grace", last_name: "Hopper" })
  await advance("1 minute")
  const events = await realm.get("/v2/events?direction=desc&max_results=1")
  return {
    given,
    at,
    pages: {
      Overview: "",
      Users: "/users",
      "New user": "/users/new",
      Import: "/users/import",
      User: `/users/${user.id}`,
      Orgs: "/orgs",
      "New org": "/orgs/new",
      Org: `/orgs/${org.id}`,
      Invitations: "/invitations",
      "New invitation": "/invitations/new",
      Apps: "/apps",
      "New app": "/apps/new",
      App: `/apps/${app.id}`,
      "App look": `/apps/${app.id}/appearance`,
      Clients: "/clients",
      "New client": "/clients/new",
      Client: `/clients/${client.id}`,
      "Client settings": `/clients/${client.id}/settings`,
      "Client grants": `/clients/${client.id}/grants`,
      Providers: "/providers",
      "New provider": "/providers/new",
      Provider: `/providers/${provider.id}`,
      Events: "/events",
      Event: `/events/${events.string("collection", 0, "id")}`,
      Hooks: "/hooks",
      "New hook": "/hooks/new",
      Hook: `/hooks/${hook.id}`,
      Mails: "/mails",
      "New mail": "/mails/new",
      Mail: `/mails/${mail.id}`,
      Settings: "/settings",
      Limits: "/limits",
      "JWT keys": "/jwt-keys",
      "API keys": "/api-keys",
      Mailbox: "/mailbox",
      Clock: "/clock"
    },
    invitation
  }
}

/** Waits until everything on a page has been read. */
const read = async ({ page }: ConsoleVisitor) => {
  await page.locator("h1").waitFor()
  await expect.poll(() => page.locator(".loading").count()).toBe(0)
}

describe.each(looks.map((look, turn) => [titleOf(look), look, turn] as const))("The console, %s", (_, look, turn) => {
  test("every page fits its window and keeps nobody out, each in one of the looks in Spanish, too", async () => {
    const { at, pages } = await furnishedRealm()
    await visitingConsole(async (visitor) => {
      const { page, open } = visitor
      const examine = async (path: string, name: string) => {
        await open(path)
        await read(visitor)
        await sound(visitor, name)
      }
      await examine("/realms", "Console Realms")
      const all = Object.entries(pages)
      for (const [name, path] of all) await examine(at + path, `Console ${name}`)

      await page.getByRole("button", { name: "Account" }).click()
      await page.getByRole("menuitem", { name: "Español" }).click()
      await page.locator("html[lang=es]").waitFor()
      for (const [name, path] of all.filter((__, index) => index % looks.length === turn))
        await examine(at + path, `Console ${name} in Spanish`)
    }, look)
test("every page of the console fits its window and keeps nobody out, wide and narrow, light and dark", async () => {
  const { at, pages } = await furnished()
  await visitingConsole(async (visitor) => {
    let seen: Visitor = visitor
    const ofRealm = Object.entries(pages).map(([name, path]) => [name, at + path] as const)
    for (const [name, address] of [["Realms", "/realms"] as const, ...ofRealm]) {
      await visitor.open(address)
      await read(visitor)
      seen = await soundInEveryLook(seen, `Console ${name}`)
    }
  })
})

import { expect, test } from "vitest"
import { oidcDouble, sign } from "../external/OidcDouble.ts"
import { RawResponse, type ReceivedRequest } from "../support/standIns.ts"
import { waitForHandover, withApp } from "./Apps.ts"
import { expectAccessible } from "./Axe.ts"
import { withVisitor } from "./Browser.ts"
import { waitForPage, withConsoleVisitor } from "./ConsoleVisit.ts"

/** The end of the year 2099, whatever time the service has. */
const FAR_FUTURE = 4_102_444_799

const attribute = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;")

test("an operator adds Google and an OpenID Provider, whose test reports each step", () =>
  withApp(({ realm, pages }) =>
    withConsoleVisitor(async (visitor) => {
      const { page, open } = visitor
      await open(`/realms/${realm.id}/providers/new`)
      await waitForPage(page, "Add a provider")
      const callback = page.getByRole("region", { name: "Callback URLs" })
      expect(await callback.getByRole("code").or(callback.locator("code")).first().textContent()).toBe(
        `${pages}/auth/google/callback`
      )
      await expectAccessible(visitor, "new-provider")
      await page.getByLabel("Client ID").fill("acme.apps.googleusercontent.com")
      await page.getByLabel("Client secret").fill("GOCSPX-acme")
      await page.getByRole("button", { name: "Add provider" }).click()
      await waitForPage(page, "Google")
      expect(await callback.locator("code").first().textContent()).toBe(`${pages}/auth/google/callback`)

      // Google can't be added twice.
      await open(`/realms/${realm.id}/providers/new`)
      await waitForPage(page, "Add a provider")
      const provider = page.getByRole("combobox", { name: "Provider", exact: true })
      expect(await provider.locator("option").allTextContents()).not.toContain("Google")
      for (const name of ["Apple", "Microsoft"]) {
        await provider.selectOption({ label: name })
        await expectAccessible(visitor, `new-${name.toLowerCase()}`)
      }
      await provider.selectOption({ label: "OpenID Connect" })
      const { double } = await oidcDouble(realm, {
        settings: { state: "inactive" },
        endpoints: { authorize: new RawResponse(200, ""), token: new RawResponse(400, '{"error":"invalid_grant"}') }
      })
      await page.getByLabel("Issuer").fill(double.url)
      await page.getByLabel("Client ID").fill("acme")
      await page.getByLabel("Client secret", { exact: true }).fill("the-secret-of-acme")
      await page.getByLabel("Button label").fill("Harbor SSO")
      await page.getByRole("button", { name: "Add provider" }).click()
      await waitForPage(page, "Harbor SSO")
      await page.getByRole("button", { name: "Test connection" }).click()
      await page.getByText("The issuer publishes its endpoints and keys.").waitFor()
      await page.getByText("The client ID and the client secret are accepted.").waitFor()
      await expectAccessible(visitor, "oidc-provider")
    })
  ))

test.each([
  "query",
  "form_post"
] as const)("SEC-280: a user logs in at an OpenID Provider that returns by %s", (response_mode) =>
  withApp((at) =>
    withVisitor(async ({ page, context, complaints }) => {
      const { realm, pages } = at
      const { double, provider, claims } = await oidcDouble(realm, { settings: { response_mode } })
      const authorize = async ({ path }: ReceivedRequest) => {
        const asked = new URL(path, "http://provider.test").searchParams
        const id_token = await sign({ ...claims(asked.get("nonce")), exp: FAR_FUTURE })
        double.answers({ token: { access_token: "at-of-the-issuer", token_type: "Bearer", id_token } })
        const isPosted = asked.get("response_mode") === "form_post"
        const fields = Object.entries({ code: "a-code", state: asked.get("state") ?? "" }).map(
          ([name, value]) => `<input type="hidden" name="${name}" value="${attribute(value)}">`
        )
        const action = attribute(asked.get("redirect_uri") ?? "")
        const form = `<form method="${isPosted ? "post" : "get"}" action="${action}">${fields.join("")}<button>Allow</button></form>`
        return new RawResponse(200, `<!doctype html><title>Allow</title>${form}`, { "content-type": "text/html" })
      }
      double.answers({ authorize })
      await page.goto(`${pages}/login`)
      await page.getByRole("link", { name: "Continue with Acme SSO" }).click()
      const posted = page.waitForRequest((request) => request.url().includes(`/auth/${provider.id}/callback`))
      await page.getByRole("button", { name: "Allow" }).click()
      expect((await posted).method()).toBe(response_mode === "form_post" ? "POST" : "GET")
      expect((await waitForHandover(page, at)).searchParams.get("signup")).toBe("true")
      expect((await context.cookies(`${pages}/auth/`)).filter(({ name }) => name.includes("social_login"))).toEqual([])
      expect(complaints).toEqual([])
    })
  ))

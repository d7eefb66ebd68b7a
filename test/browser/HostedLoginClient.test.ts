import { build } from "esbuild"
import { expect, test } from "vitest"
import { uniqueText } from "#testing/Given"
import { PASSWORD } from "../support/logins.ts"
import { submitForm, withApp } from "./Apps.ts"
import { saveScreenshot, withVisitor } from "./Browser.ts"

/** The app's script, with its output and the actions of its buttons. */
const script = (pages: string) => `
import { HostedLogin } from "./src/client/browser/HostedLogin.ts"
const login = new HostedLogin({ pages: ${JSON.stringify(pages)} })
const say = (text) => { document.querySelector("output").textContent = text }
const show = () => say(login.session()?.user.first_name ?? login.session()?.user.name ?? "Nobody")
const doors = {
  "Log in": () => login.logIn(),
  "Sign up": () => login.signUp({ returnTo: "/welcome" }),
  "Check": async () => say(await login.checkSession() ? "Goes on" : "Is over"),
  "Log out": async () => { await login.logOut({ redirectUri: location.origin + "/" }) }
}
for (const [name, open] of Object.entries(doors)) {
  const button = document.body.appendChild(document.createElement("button"))
  button.textContent = name
  button.onclick = () => Promise.resolve(open()).catch((error) => say(error.code))
}
try {
  const finished = login.finish()
  if (finished !== null) history.replaceState(null, "", finished.returnTo)
  show()
} catch (error) { say(error.code) }
`

/** The app's page with its script. */
const pageOf = async (pages: string): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents: script(pages), resolveDir: process.cwd() },
    bundle: true,
    format: "esm",
    platform: "browser",
    write: false
  })
  const text = outputFiles[0]?.text ?? ""
  return `<!doctype html><html lang="en"><title>Notebook</title><h1>Notebook</h1><output></output><script type="module">${text}</script>`
}

test("an app's pages can sign up, log in, check the session and log out with the browser client", () =>
  withApp(async ({ app, pages, realm, site }) => {
    await realm.put(`/v2/client_apps/${app.id}`, { client_app: { logout_uris: [`${site.origin}/`] } })
    const html = await pageOf(pages)
    for (const path of ["/", "/callback", "/welcome"]) site.serve(path, html)
    await withVisitor(async ({ page, complaints }) => {
      const press = (name: string) => page.getByRole("button", { name, exact: true }).click()
      const waitForOutput = (text: string) => page.locator("output", { hasText: text }).waitFor()
      const name = uniqueText("meg")

      await page.goto(site.origin)
      await waitForOutput("Nobody")
      await press("Sign up")
      await submitForm(page, { Email: `${name}@example.test`, Password: PASSWORD }, "Create account")
      await waitForOutput(name)
      // The token is neither in the address bar nor in the history.
      expect(page.url()).toBe(`${site.origin}/welcome`)
      await press("Check")
      await waitForOutput("Goes on")

      // Another tab has no session yet, but its login returns immediately.
      const other = await page.context().newPage()
      await other.goto(site.origin)
      await other.locator("output", { hasText: "Nobody" }).waitFor()
      await other.getByRole("button", { name: "Log in" }).click()
      await other.locator("output", { hasText: name }).waitFor()
      expect(other.url()).toBe(`${site.origin}/`)

      // A token handed over by somebody else is rejected.
      const token = await other.evaluate(
        () => Object.entries(sessionStorage).find(([key]) => key.endsWith(":token"))?.[1]
      )
      await other.evaluate(() => sessionStorage.clear())
      await other.goto(`${site.origin}/callback?token=${token}&state=guessed`)
      await other.locator("output", { hasText: "unknown_state" }).waitFor()
      expect(other.url()).toBe(`${site.origin}/callback`)

      await press("Log out")
      await page.waitForURL(`${site.origin}/`)
      await waitForOutput("Nobody")
      await press("Log in")
      await submitForm(page, { Email: `${name}@example.test`, Password: PASSWORD }, "Log in")
      await waitForOutput(name)
      await saveScreenshot(page, "HostedLoginClient")

      // Back returns to the hosted pages, which send another token for a login that is already completed.
      await page.goBack()
      await page.waitForURL(`${site.origin}/callback`)
      await waitForOutput(name)
      expect(complaints).toEqual([])
    })
  }))

import { expect, test } from "vitest"
import { PASSWORD } from "../support/logins.ts"
import { submitForm, waitForHeading } from "./Apps.ts"
import { withVisitor } from "./Browser.ts"
import { frameworkApps } from "./FrameworkApps.ts"
import { browserService } from "./Service.ts"
import { freePort } from "./Site.ts"

test.each(
  Object.entries(frameworkApps)
)("%s: logs in, refreshes and logs out as an OpenID Connect client", async (_, run) => {
  const { given, publicUrl, now } = await browserService()
  const [realm, port] = [await given.realm({ jwt_algo: "rs256", username_validation_human: "email" }), await freePort()]
  const origin = `http://localhost:${port}`
  await realm.connectedApp({ name: "Acme" })
  const client = await realm.connectedApp({
    login_handler: undefined,
    client_type: "web",
    redirect_uris: [`${origin}/callback`],
    post_logout_redirect_uris: [`${origin}/`]
  })
  const user = await realm.user({ first_name: "Jo", password: PASSWORD })
  // The app's clock can go ahead of the service's.
  let ahead = 0
  const running = await run(port, {
    issuer: `${publicUrl}/realms/${realm.id}`,
    clientId: client.id,
    clientSecret: client.string("client_secret"),
    publicUrl: origin,
    now: () => now() + ahead
  })
  try {
    await withVisitor(async ({ page, context, complaints }) => {
      await page.goto(`${origin}/notes?page=2`)
      await submitForm(page, { Email: user.string("email"), Password: PASSWORD }, "Log in")
      await waitForHeading(page, "Notes of Jo")
      expect(page.url()).toBe(`${origin}/notes?page=2`)
      const cookie = async () => (await context.cookies(origin)).map(({ name, value }) => `${name}=${value}`).join()
      const first = await cookie()
      expect(first).toMatch(/^session=eyJ[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/)

      await realm.put(`/v2/users/${user.id}`, { user: { first_name: "Meg" } })
      ahead = 301_000
      await page.reload()
      await waitForHeading(page, "Notes of Meg")
      expect(await cookie()).not.toBe(first)

      await page.goto(origin)
      await page.getByText("Hello Meg.").waitFor()
      await page.getByRole("button", { name: "Log out" }).click()
      await page.getByText("Nobody is logged in.").waitFor()
      expect([page.url(), await cookie()]).toEqual([`${origin}/`, ""])
      expect((await realm.get(`/v2/sessions?user_id=${user.id}`)).items).toEqual([])
      await page.getByRole("link", { name: "Notes" }).click()
      await waitForHeading(page, "Log in")
      expect(complaints).toEqual([])
    })
  } finally {
    await running.close()
  }
})

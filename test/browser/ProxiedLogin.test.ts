import { request as forward } from "node:http"
import { createServer } from "node:https"
import { expect, test } from "vitest"
import { PASSWORD } from "../support/logins.ts"
import { certificate, certificateKey } from "../support/receivers.ts"
import { submitForm, waitForHeading } from "./Apps.ts"
import { withVisitor } from "./Browser.ts"
import { ownBrowser } from "./Chromium.ts"
import { frameworkApps } from "./FrameworkApps.ts"
import { browserService } from "./Service.ts"
import { freePort } from "./Site.ts"

test.each(
  Object.entries(frameworkApps)
)("SEC-266: %s logs in over https behind a proxy that forwards plain requests with another host", async (_, run) => {
  const { given, publicUrl, now } = await browserService()
  const [realm, port, { securePort }] = [
    await given.realm({ jwt_algo: "rs256", username_validation_human: "email" }),
    await freePort(),
    await ownBrowser()
  ]
  const origin = "https://app.localhost"
  const app = await realm.connectedApp({ login_handler: `${origin}/callback` })
  const user = await realm.user({ first_name: "Jo", password: PASSWORD })
  const running = await run(port, { url: publicUrl, key: (await realm.as("write")).key, app: app.id, now })
  const proxy = createServer({ key: certificateKey, cert: certificate }, ({ method, url, headers }, response) => {
    const host = `127.0.0.1:${port}`
    const sent = forward(`http://${host}${url}`, { method, headers: { ...headers, host } }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    sent.end()
  })
  await new Promise<void>((resolve) => proxy.listen(securePort, "127.0.0.1", resolve))
  try {
    await withVisitor(async ({ page, context, complaints }) => {
      await page.goto(`${origin}/notes?page=2`)
      await submitForm(page, { Email: user.string("email"), Password: PASSWORD }, "Log in")
      await waitForHeading(page, "Notes of Jo")
      expect(page.url()).toBe(`${origin}/notes?page=2`)
      const cookies = await context.cookies(origin)
      expect(cookies).toMatchObject([
        { name: "__Host-session", secure: true, httpOnly: true, sameSite: "Lax", path: "/" }
      ])
      await page.goto(origin)
      await page.getByRole("button", { name: "Log out" }).click()
      await page.getByText("Nobody is logged in.").waitFor()
      expect([page.url(), await context.cookies(origin)]).toEqual([`${origin}/`, []])
      expect(complaints).toEqual([])
    })
  } finally {
    proxy.closeAllConnections()
    await new Promise((resolve) => proxy.close(resolve))
    await running.close()
  }
})

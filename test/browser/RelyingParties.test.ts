import { beforeAll, describe, expect, test } from "vitest"
import { uniqueText } from "#testing/Given"
import { overHttp } from "#testing/Transport"
import { oauth4webapiParty } from "../oauth/peers/Oauth4webapiParty.ts"
import { openidClientParty } from "../oauth/peers/OpenidClientParty.ts"
import type { PartyMaker, PartySettings } from "../oauth/peers/Party.ts"
import { PASSWORD } from "../support/logins.ts"
import { apachePlace, hasApache, withApache } from "./Apache.ts"
import { submitForm, waitForHeading } from "./Apps.ts"
import { expectAccessible } from "./Axe.ts"
import { type Visitor, withVisitor } from "./Browser.ts"
import { type BrowserService, newBrowserService } from "./Service.ts"
import { withSite } from "./Site.ts"

let service: BrowserService

beforeAll(async () => {
  service = await newBrowserService()
})

/** A realm with a login app, a user with a password and a client with these redirect URIs. */
const withClient = async (settings: Readonly<Record<string, unknown>>) => {
  const realm = await service.given.realm({ username_validation_human: "email" })
  await realm.connectedApp({ name: "Acme" })
  const email = `${uniqueText("jo")}@example.test`
  await realm.user({ email, first_name: "Jo", last_name: "March", password: PASSWORD })
  const client = await realm.connectedApp({ login_handler: undefined, client_type: "web", consent: "ask", ...settings })
  const issuer = `${service.publicUrl}/realms/${realm.id}`
  return { realm, email, issuer, clientId: client.id, secret: client.string("client_secret") }
}

/** Logs in on the current page and allows access. */
const logIn = async (visitor: Visitor, email: string): Promise<void> => {
  const { page } = visitor
  await waitForHeading(page, "Log in")
  await expectAccessible(visitor, "Login for a client")
  await submitForm(page, { Email: email, Password: PASSWORD }, "Log in")
  await page.getByRole("button", { name: "Allow", exact: true }).waitFor()
  await expectAccessible(visitor, "Consent")
  await page.getByRole("button", { name: "Allow", exact: true }).click()
}

const libraries: ReadonlyArray<readonly [string, PartyMaker, Readonly<Record<string, string>>]> = [
  ["openid-client", openidClientParty, {}],
  ["oauth4webapi", oauth4webapiParty, {}],
  ["openid-client with form_post", openidClientParty, { response_mode: "form_post" }]
]

describe("third-party relying parties", () => {
  test.each(libraries)("%s: logs in with consent, gets tokens and user info, and logs out", (_, make, parameters) =>
    withSite("rp.localhost", async (site) => {
      const [redirectUri, bye] = [`${site.origin}/callback`, `${site.origin}/bye`]
      const at = await withClient({ redirect_uris: [redirectUri], post_logout_redirect_uris: [bye] })
      const settings: PartySettings = {
        issuer: new URL(at.issuer),
        clientId: at.clientId,
        auth: { method: "client_secret_basic", secret: at.secret },
        redirectUri,
        transport: overHttp(service.publicUrl),
        clockSkew: Math.round((service.now() - Date.now()) / 1_000)
      }
      await withVisitor(async (visitor) => {
        const { page, complaints } = visitor
        const party = await make(settings)
        const begun = await party.begin({ scope: "openid profile email", ...parameters })
        await page.goto(begun.url.href)
        await logIn(visitor, at.email)
        await page.waitForURL((url) => url.origin === site.origin)
        const { method, url, body } = site.received.findLast(({ url: { pathname } }) => pathname === "/callback") ?? {}
        const form = method === "POST" ? new URLSearchParams(body) : undefined
        expect(form === undefined).toBe(parameters["response_mode"] === undefined)
        const came = { url: url ?? new URL(page.url()), form, shown: [], asked: { logins: 1, consents: 1 } }
        const tokens = await party.finish(begun, came)
        expect(await party.userinfo(tokens)).toMatchObject({ email: at.email, email_verified: false, name: "Jo March" })

        const asked = { id_token_hint: tokens.idToken ?? "", post_logout_redirect_uri: bye, state: "s" }
        await page.goto(party.endSession(asked).href)
        await page.waitForURL(`${bye}?state=s`)
        expect(complaints).toEqual([])
      })
    }))

  // Without the packages, this is skipped on a developer's machine but fails in CI.
  test.skipIf(!hasApache() && process.env.CI === undefined).each([
    ["with discovery", false],
    ["with only the ID token", true]
  ])("mod_auth_openidc in Debian's Apache %s: gets name and email, and logs out", async (_, isWithoutUserInfo) => {
    const place = await apachePlace()
    const at = await withClient({
      redirect_uris: [place.redirectUri],
      post_logout_redirect_uris: [place.postLogoutRedirectUri]
    })
    const client = { issuer: at.issuer, clientId: at.clientId, clientSecret: at.secret, isWithoutUserInfo }
    await withApache(place, client, (log) =>
      withVisitor(async (visitor) => {
        const { page, complaints } = visitor
        await page.goto(`${place.origin}/secured/`)
        await logIn(visitor, at.email)
        await page.waitForURL(`${place.origin}/secured/`).catch((cause: unknown) => {
          throw new Error(`The login at Apache failed: ${page.url()} ${log()}`, { cause })
        })
        await waitForHeading(page, `Hello, Jo March (${at.email})`)
        await page.goto(`${place.redirectUri}?logout=${encodeURIComponent(place.postLogoutRedirectUri)}`)
        await waitForHeading(page, "Bye")
        await page.goto(`${place.origin}/secured/`)
        await waitForHeading(page, "Log in")
        expect(complaints).toEqual([])
      })
    )
  })
})

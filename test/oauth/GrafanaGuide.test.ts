import { expect, test } from "vitest"
import { uniqueText } from "#testing/Given"
import { blocksOf, textOf } from "../guides/Page.ts"
import { oauthClient } from "../support/oauth.ts"
import { quickUser } from "../support/passwordEntryPoints.ts"
import { service } from "../support/sallyport.ts"
import { openidClientParty } from "./peers/OpenidClientParty.ts"
import { Person } from "./peers/Person.ts"

/** The settings in a guide's config file section, by name. */
const settingsIn = (code: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    code
      .slice(code.indexOf("[auth.generic_oauth]"))
      .split("\n")
      .flatMap((line) => {
        const [, name, value] = /^(\w+) = (.*)$/.exec(line) ?? []
        return name === undefined || value === undefined ? [] : [[name, value]]
      })
  )

test("docs/guides/grafana.md: its settings are enough to log in, refresh and log out", async () => {
  const blocks = blocksOf(textOf("grafana"))
  const registered = blocks.find(({ code }) => code.includes('"client_type": "web"'))?.code ?? ""
  const { name: _, ...attributes } = JSON.parse(/'(\{.*\})'/s.exec(registered)?.[1] ?? "")["client_app"]
  const { given, transport } = await service()
  const realm = await given.realm()
  await realm.connectedApp()
  const client = await oauthClient(realm, attributes)
  const email = `${uniqueText("jo")}@example.test`
  const jo = await quickUser(realm, { email, email_verification: "verified", first_name: "Jo", last_name: "March" })
  await realm.membership(jo.id, (await realm.org()).id, { permissions: ["grafana:viewer"] })

  const url = "https://id.example.test"
  const ini = settingsIn(blocks.find(({ code }) => code.startsWith("cat > grafana.ini"))?.code ?? "")
  const settingOf = (name: string) => (ini[name] ?? "").replaceAll("$URL", url).replaceAll("$REALM", realm.id)
  expect(settingOf("auth_url")).toBe(`${url}/realms/${realm.id}/authorize`)
  expect([ini["use_pkce"], ini["use_refresh_token"]]).toEqual(["true", "true"])

  const party = await openidClientParty({
    issuer: new URL(`${url}/realms/${realm.id}`),
    clientId: client.id,
    auth: { method: "client_secret_basic", secret: client.secret ?? "" },
    redirectUri: attributes.redirect_uris[0],
    transport,
    clockSkew: Math.round((1_767_225_600_000 - Date.now()) / 1_000)
  })
  const person = new Person(transport, { name: email })
  const begun = await party.begin({ scope: settingOf("scopes") })
  expect(begun.url.origin + begun.url.pathname).toBe(settingOf("auth_url"))
  const tokens = await party.finish(begun, await person.walk(begun.url))
  const told = await party.userinfo(tokens)
  expect([told[settingOf("login_attribute_path")], told[settingOf("name_attribute_path")]]).toEqual([email, "Jo March"])
  // The claims that `role_attribute_path` reads.
  expect(settingOf("role_attribute_path")).toMatch(/^email_verified && .*orgs\[\]\.perm\[\]/)
  expect(told).toMatchObject({ email_verified: true, orgs: [{ perm: ["grafana:viewer"] }] })
  expect((await party.refresh(tokens)).refresh).toMatch(/^ort_/)
  const left = await person.walk(`${settingOf("signout_redirect_url")}&id_token_hint=${tokens.idToken}`)
  expect(left.url.href).toBe(attributes.post_logout_redirect_uris[0])
})

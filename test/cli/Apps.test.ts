import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { oauthClient } from "../support/oauth.ts"
import { service } from "../support/sallyport.ts"
import { cli, serviceEnvironment } from "./Cli.ts"

/** A realm and a terminal environment whose API key is locked to it. */
const place = async () => {
  const at = await service()
  const realm = await at.given.realm()
  const admin = await realm.as("admin_realm")
  return { at, realm, environment: serviceEnvironment({ url: at.url, key: admin.key ?? "" }) }
}

const appIn = async (realm: GivenRealm, id: string) => (await realm.get(`/v2/client_apps/${id}`)).body

const web = ["--type", "web", "--redirect-uri", "https://app.example.test/callback"]

describe("sallyport apps", () => {
  test("registers an OAuth client and shows its secret once", async () => {
    const { realm, environment } = await place()
    const words = ["apps", "create", "Grafana", ...web, "--scope", "openid email", "--consent", "ask"]
    const { result, events } = await realm.seen.during(() =>
      cli([...words, "--logout-uri", "https://app.example.test/", "--set", "access_token_minutes=10"], { environment })
    )
    expect(result).toMatchObject({ code: 0, err: "" })
    expect(events.map((event) => event["event_type"])).toContain("login_policy.created")
    const [, secret = "", id = ""] = /^Secret: +(ocs_\S+)\nID: +(lpl_\S+)$/m.exec(result.out) ?? []
    expect(result.out.split("\n")).toEqual([
      `Secret:         ${secret}`,
      `ID:             ${id}`,
      "Name:           Grafana",
      "Type:           web",
      "State:          active",
      `Realm:          ${realm.id}`,
      "Grants:         authorization_code refresh_token",
      "Authentication: client_secret_basic",
      "Redirect URIs:  https://app.example.test/callback",
      "Logout URIs:    https://app.example.test/",
      "Scopes:         openid email",
      "Consent:        ask",
      "ID tokens:      scopes",
      "Login app:      the realm's oldest",
      expect.stringMatching(/^Created: +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      "",
      "Save the secret now: it won't be shown again.",
      ""
    ])
    expect(await appIn(realm, id)).toMatchObject({ access_token_minutes: 10, allowed_scopes: ["openid", "email"] })
    const shown = await cli(["apps", "get", id], { environment })
    expect(shown.out).toBe(result.out.split("\n").slice(1, -3).join("\n").concat("\n"))
    expect(shown.out).not.toContain(secret)
  })

  test("lists, shows, updates and deletes apps as the API does", async () => {
    const { realm, environment } = await place()
    const app = await realm.connectedApp({ name: "Acme", subdomain: `acme-${realm.id.slice(-8)}` })
    const { id } = await oauthClient(realm, { name: "Nightly", client_type: "machine" })
    const listed = await cli(["apps", "list"], { environment })
    expect(listed).toMatchObject({ code: 0, err: "" })
    expect(listed.out.split("\n")).toEqual([
      expect.stringMatching(/^ID +NAME +TYPE +LOGIN PAGE$/),
      expect.stringMatching(new RegExp(`^${app.id} +Acme +standard +http\\S+/login$`)),
      `${id}  Nightly  machine`,
      ""
    ])
    expect(JSON.parse((await cli(["apps", "get", id, "--json"], { environment })).out)).toEqual(await appIn(realm, id))
    const words = ["apps", "update", id, "--resource", "https://api.example.test", "--set", "state=inactive"]
    const changed = await cli([...words, "--json"], { environment })
    expect(changed).toMatchObject({ code: 0, err: "" })
    expect(JSON.parse(changed.out)).toEqual(await appIn(realm, id))
    expect(JSON.parse(changed.out)).toMatchObject({ state: "inactive", resources: ["https://api.example.test"] })
    expect(await cli(["apps", "delete", id], { environment, answers: ["Nightly"] })).toEqual({
      code: 0,
      out: `The app Nightly (${id}) was deleted.\n`,
      err: `The app Nightly (${id}) will be deleted immediately. Its tokens stop working, and nobody can log in to it anymore.\nType Nightly to confirm: \n`
    })
    expect(await cli(["apps", "get", id], { environment })).toEqual({
      code: 1,
      out: "",
      err: "Error: Client app could not be found.\nNothing was changed.\nCheck the ID: sallyport apps list shows what exists.\n"
    })
  })

  test("shows a rotated secret once and accepts the previous secret for another day", async () => {
    const { realm, environment } = await place()
    const { id, secret } = await oauthClient(realm)
    const { result, events } = await realm.seen.during(() => cli(["apps", "rotate-secret", id], { environment }))
    expect(events).toEqual([{ event_type: "oauth.client_secret.rotated", client_app_id: id }])
    const [, next = ""] = /^Secret: +(ocs_\S+)$/m.exec(result.out) ?? []
    expect(next).not.toBe(secret)
    expect(result.out).toContain("it won't be shown again. The previous secret works for another 24 hours.\n")
    const refused = await cli(["apps", "rotate-secret", (await oauthClient(realm, { client_type: "spa" })).id], {
      environment
    })
    expect(refused).toMatchObject({ code: 1, out: "", err: expect.stringContaining("Nothing was changed.") })
  })

  test("requires --realm with a key for all realms", async () => {
    const { at, realm } = await place()
    const environment = serviceEnvironment(at)
    const words = ["apps", "create", "Acme", ...web]
    const missing = await cli(words, { environment })
    expect(missing).toMatchObject({ code: 1, err: expect.stringContaining("Choose a realm with --realm") })
    const created = await cli([...words, "--realm", realm.id, "--json"], { environment })
    expect(JSON.parse(created.out)).toMatchObject({ realm_id: realm.id, client_secret: expect.any(String) })
  })

  test.each([
    [["update", "lpl_1"], 2, "No settings given."],
    [
      ["update", "lpl_1", "--set", "acces_token_minutes=5"],
      2,
      "Apps have no setting acces_token_minutes. Did you mean"
    ],
    [["update", "lpl_1", "--set", "consent=ask", "--consent", "ask"], 2, "consent is given twice"],
    [["create", "Acme", "--type", "server"], 2, "--type can't be server. Expected standard, web, spa"],
    [["create", "Acme", "--type", "web"], 1, "Redirect"],
    [["create", "Acme", ...web, "--set", "redirect_uris=*"], 2, "redirect_uris is given twice"],
    [["create", "Acme", "--type", "web", "--redirect-uri", "http://app.example.test/"], 1, "https"],
    [["delete", "lpl_1", "--yes"], 1, "could not be found"]
  ])("rejects %j and changes nothing", async (words, code, told) => {
    const { realm, environment } = await place()
    const { result, events } = await realm.seen.during(() => cli(["apps", ...words], { environment }))
    expect(result).toMatchObject({ code, out: "" })
    expect(result.err).toContain(told)
    expect(events).toEqual([])
  })
})

import { describe, expect, test } from "vitest"
import { MAX_UNUSED } from "#domain/clients/ClientRegistration"
import { limits } from "#domain/Limit"
import type { Reply } from "#testing/Api"
import {
  authorize,
  begin,
  CONSENT,
  followRedirects,
  LOGIN,
  requestAuthorization,
  VERIFIER
} from "../support/authorize.ts"
import { PASSWORD } from "../support/logins.ts"
import { redeem, refresh } from "../support/oauthTokens.ts"
import { heading, visibleText } from "../support/pages.ts"
import { query } from "../support/query.ts"
import { agent, MCP, oauthErrorOf, openRealm, register, registered } from "../support/registration.ts"
import { clockedService, ownService } from "../support/sallyport.ts"
import { visitorAtApp } from "../support/visitor.ts"

const newOpenRealm = async (settings: object = openRealm) => (await clockedService()).given.realm({ ...settings })

const CALLBACK = "https://agent.example.test/callback"

const site = { ...agent, redirect_uris: [CALLBACK], scope: "openid notes:read" }

const clientOf = (reply: Reply) => ({ id: reply.string("client_id"), secret: undefined, body: reply.body })

/** A realm with open registration, a client that registered itself and a user in a browser. */
const withSelfRegistered = async (metadata: object = site, settings: object = openRealm) => {
  const realm = await newOpenRealm(settings)
  return { ...(await visitorAtApp(realm)), realm, client: clientOf(await register(realm, metadata)) }
}

const request = { redirect_uri: CALLBACK, scope: "openid offline_access" }

const verified = { redirect_uri: CALLBACK, code_verifier: VERIFIER }

describe("SEC-189: mass registration", () => {
  test("is limited to 20 clients an hour per address without an API key", () =>
    ownService(
      async ({ given }) => {
        const realm = await given.realm({ ...openRealm })
        const { key = "" } = await realm.as("admin_realm")
        for (let n = 0; n < limits.registrations.most; n++) expect((await register(realm, agent)).status).toBe(201)
        const reply = await register(realm, agent)
        expect(oauthErrorOf(reply)).toEqual([429, "temporarily_unavailable", "Too many requests."])
        expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0)
        expect((await register(realm, agent, key)).status).toBe(201)
      },
      { limits: "all" }
    ))

  test("is cleaned up by deleting clients that get no token within a day", async () => {
    const { advance } = await clockedService()
    const at = await withSelfRegistered()
    const { code = "" } = await authorize(at, request, CALLBACK)
    expect((await redeem(at.client, at.realm, code, verified)).status).toBe(200)
    const unused = clientOf(await register(at.realm, agent))
    const events = await at.realm.seen.caused(() => advance("25 hours"))
    expect(events).toContainEqual({ event_type: "login_policy.deleted", client_app_id: unused.id })
    expect(events.filter(({ event_type }) => event_type === "login_policy.deleted").length).toBe(1)
    expect((await at.realm.get(`/v2/client_apps/${unused.id}`)).status).toBe(404)
    expect((await at.realm.get(`/v2/client_apps/${at.client.id}`)).status).toBe(200)
  })

  test("is limited to a fixed number of unused clients per realm without a key", async () => {
    const { sql } = await clockedService()
    const realm = await newOpenRealm()
    const { id } = clientOf(await register(realm, agent))
    // Fills the realm with copies of the client that differ only in their ids.
    for (const [table, column] of [
      ["login_policies", "id"],
      ["oauth_clients", "id"],
      ["oauth_registrations", "client_id"]
    ]) {
      await query(sql`insert into ${sql(table ?? "")}
        select (json_populate_record(t, json_build_object(${column}::text, ${id}::text || n))).*
          from ${sql(table ?? "")} t, generate_series(2, ${MAX_UNUSED}) n
          where t.realm_id = ${realm.id} and ${sql(column ?? "")} = ${id}`)
    }
    const reply = await register(realm, agent)
    expect([...oauthErrorOf(reply).slice(0, 2), reply.headers.get("retry-after")]).toEqual([
      503,
      "temporarily_unavailable",
      "3600"
    ])
    expect((await register(realm, agent, (await realm.as("admin_realm")).key)).status).toBe(201)
  })
})

describe("SEC-191: a client that registered itself", () => {
  test("cannot register a redirect URI that runs code, is unencrypted or is ambiguous", async () => {
    const realm = await newOpenRealm()
    const { events } = await realm.seen.during(async () => {
      for (const uri of [
        "javascript:alert(1)",
        "data:text/html,x",
        "http://evil.example/callback",
        "http://127.0.0.1.evil.example/callback",
        "https://user@agent.example.test/callback",
        "https://agent.example.test/callback#x",
        "https://agent.example.test/*",
        "//evil.example",
        "myapp:/callback",
        "http://localhost:3000\\@evil.example/"
      ]) {
        for (const method of ["none", "client_secret_basic"]) {
          const metadata = { ...agent, redirect_uris: [CALLBACK, uri], token_endpoint_auth_method: method }
          expect([uri, ...oauthErrorOf(await register(realm, metadata)).slice(0, 2)]).toEqual([
            uri,
            400,
            "invalid_redirect_uri"
          ])
        }
      }
    })
    expect(events).toEqual([])
  })

  test("gets no machine or device grant without an API key, and only the scopes and resources set for such clients", async () => {
    const device = "urn:ietf:params:oauth:grant-type:device_code"
    const at = await withSelfRegistered(site, { ...openRealm, mfa: "off" })
    for (const type of ["client_credentials", device]) {
      const alone = await register(at.realm, { ...site, grant_types: [type] })
      expect(oauthErrorOf(alone).slice(0, 2)).toEqual([400, "invalid_client_metadata"])
      const reply = await register(at.realm, { ...site, grant_types: [type, "authorization_code"] })
      expect([reply.status, reply.member("grant_types")]).toEqual([201, ["authorization_code"]])
    }
    // Errors don't redirect before the user has given consent, since the redirect itself could be the attack.
    const errorPage = async (params: Readonly<Record<string, string>>) => {
      const reply = await requestAuthorization(at, { ...request, ...params })
      return [reply.status, reply.headers.get("location"), /<p class="soft" lang="en">(\w+)/.exec(reply.text)?.[1]]
    }
    expect(await errorPage({ scope: "notes:admin" })).toEqual([400, null, "invalid_scope"])
    expect(await errorPage({ resource: "https://api.example.test" })).toEqual([400, null, "invalid_target"])
    // No login in this realm can reach the requested level.
    const claims = JSON.stringify({ id_token: { acr: { essential: true, value: "aal2" } } })
    expect(await errorPage({ claims })).toEqual([400, null, "unmet_authentication_requirements"])
    const { code = "" } = await authorize(at, { ...request, scope: "notes:read notes:admin", resource: MCP }, CALLBACK)
    const tokens = await redeem(at.client, at.realm, code, verified)
    expect([tokens.status, tokens.member("scope")]).toEqual([200, "notes:read"])
    // The realm's scopes and resources for registered clients are checked on each request.
    await at.realm.put(`/v2/realms/${at.realm.id}`, { realm: { registration_scopes: [], registration_resources: [] } })
    expect(await errorPage({ resource: MCP })).toEqual([400, null, "invalid_target"])
    expect(await errorPage({ scope: "notes:read" })).toEqual([400, null, "invalid_scope"])
  })
})

describe("SEC-192: a client that registered itself under another app's name", () => {
  test.each([
    [
      "en",
      "This app registered itself, and nobody has verified its name.",
      "You'll continue to agent.example.test , which will get"
    ],
    [
      "es",
      "Esta aplicación se registró por su cuenta y nadie ha verificado su nombre.",
      "Después irá a agent.example.test"
    ]
  ])("is marked as unverified on the consent page, with the site that receives the access, in %s", async (locale, itself, where) => {
    const settings = { ...openRealm, available_locales: ["en", "es"], default_locale: locale }
    const at = await withSelfRegistered({ ...site, client_name: "Grafana" }, settings)
    await begin(at, { ...request, ui_locales: locale })
    const button = locale === "en" ? LOGIN : "Iniciar sesión"
    await at.visitor.fill({ name: at.email, password: PASSWORD }, button)
    await followRedirects(at)
    expect(visibleText(at.visitor.page)).toContain("Grafana")
    expect(visibleText(at.visitor.page)).toContain(itself)
    expect(visibleText(at.visitor.page)).toContain(where)
  })

  test("needs consent each time, because the client may have changed its name and redirect URIs", async () => {
    const at = await withSelfRegistered()
    await authorize(at, request, CALLBACK)
    await begin(at, request)
    expect(heading(at.visitor.page)).toBe(CONSENT)
    await begin(at, { ...request, prompt: "none" })
    expect([at.visitor.page.status, visibleText(at.visitor.page).includes("consent_required")]).toEqual([400, true])
  })
})

describe("SEC-193: a client's registration", () => {
  test("is inaccessible with an outdated token or the token of another client or realm", async () => {
    const [realm, other] = [await newOpenRealm(), await newOpenRealm()]
    const [made, second, foreign] = [
      await register(realm, agent),
      await register(realm, agent),
      await register(other, agent)
    ]
    const { id } = clientOf(made)
    const first = made.string("registration_access_token")
    const now = (await registered(realm, id, first).update(agent)).string("registration_access_token")
    const { key = "" } = await realm.as("admin_realm")
    const wrong = [second, foreign].map((reply) => reply.string("registration_access_token"))
    const events = await realm.seen.caused(async () => {
      for (const token of [...wrong, first, key, "x", undefined]) {
        const by = registered(realm, id, token)
        for (const reply of [await by.read(), await by.update(agent), await by.delete()]) {
          expect(oauthErrorOf(reply).slice(0, 2)).toEqual([401, "invalid_token"])
          expect(reply.headers.get("www-authenticate")).toBe(`Bearer realm="${realm.id}"`)
        }
      }
      const elsewhere = { id: other.id, transport: realm.transport }
      expect((await registered(elsewhere, id, now).read()).status).toBe(401)
    })
    expect(events).toEqual([])
    expect((await registered(realm, id, now).read()).status).toBe(200)
  })

  test("is updated only once when several updates use the same token at once", async () => {
    const realm = await newOpenRealm()
    const made = await register(realm, agent)
    const by = registered(realm, clientOf(made).id, made.string("registration_access_token"))
    const names = ["A", "B", "C", "D"]
    const replies = await Promise.all(names.map((client_name) => by.update({ ...agent, client_name })))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401])
  })

  test("requires an initial access token that may create clients through the management API", async () => {
    const [realm, other] = [await newOpenRealm({ client_registration: "token" }), await newOpenRealm()]
    const keys = ["sk_x", (await realm.as("write")).key, (await other.as("admin_realm")).key]
    const { events } = await realm.seen.during(async () => {
      for (const key of keys) {
        expect(oauthErrorOf(await register(realm, agent, key)).slice(0, 2)).toEqual([401, "invalid_token"])
      }
      const without = await register(realm, agent)
      expect(oauthErrorOf(without)).toEqual([401, "invalid_token", "Registration requires an initial access token."])
      expect(without.headers.get("www-authenticate")).toBe(`Bearer realm="${realm.id}"`)
    })
    expect(events).toEqual([])
  })

  test("can't exceed the API key's scopes and grants or regain scopes removed by an update via API", async () => {
    const realm = await newOpenRealm()
    const { key } = await realm.as("admin_realm")
    const robot = { grant_types: ["client_credentials"], scope: "notes:read" }
    const made = await register(realm, robot, key)
    const id = made.string("client_id")
    const greedy = { ...robot, scope: "notes:read notes:admin" }
    const updated = await registered(realm, id, made.string("registration_access_token")).update(greedy)
    expect([updated.status, updated.member("scope")]).toEqual([200, "notes:read"])
    await realm.put(`/v2/client_apps/${id}`, { client_app: { allowed_scopes: [] } })
    const again = await registered(realm, id, updated.string("registration_access_token")).update(greedy)
    expect([again.status, again.member("scope")]).toEqual([200, ""])
    const web = await register(realm, { redirect_uris: [CALLBACK], grant_types: ["authorization_code"] }, key)
    const wider = { redirect_uris: [CALLBACK], grant_types: ["authorization_code", "client_credentials"] }
    const by = registered(realm, web.string("client_id"), web.string("registration_access_token"))
    const narrowed = await by.update(wider)
    expect([narrowed.status, narrowed.member("grant_types")]).toEqual([200, ["authorization_code"]])
  })

  test("can't be created or changed while registration is off, although the client keeps working", async () => {
    const at = await withSelfRegistered()
    const made = await register(at.realm, agent)
    const by = registered(at.realm, clientOf(made).id, made.string("registration_access_token"))
    const { code = "" } = await authorize(at, request, CALLBACK)
    await at.realm.put(`/v2/realms/${at.realm.id}`, { realm: { client_registration: "off" } })
    expect(oauthErrorOf(await register(at.realm, agent)).slice(0, 2)).toEqual([403, "access_denied"])
    expect(oauthErrorOf(await by.update(agent)).slice(0, 2)).toEqual([403, "access_denied"])
    expect((await by.read()).status).toBe(200)
    expect((await by.delete()).status).toBe(204)
    const tokens = await redeem(at.client, at.realm, code, verified)
    const token = tokens.string("refresh_token")
    expect((await refresh(at.client, at.realm, token)).status).toBe(200)
    await at.realm.delete(`/v2/client_apps/${at.client.id}`)
    expect(oauthErrorOf(await refresh(at.client, at.realm, token)).slice(0, 2)).toEqual([401, "invalid_client"])
    await at.realm.put(`/v2/realms/${at.realm.id}`, { realm: { client_registration: "open", state: "inactive" } })
    expect(oauthErrorOf(await register(at.realm, agent)).slice(0, 2)).toEqual([400, "access_denied"])
  })
})

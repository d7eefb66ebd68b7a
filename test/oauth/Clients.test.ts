import { generateKeyPairSync } from "node:crypto"
import { describe, expect, test } from "vitest"
import { noAppearance } from "../support/appearances.ts"
import { appVersions, eventsSeenBy, minimalApp } from "../support/apps.ts"
import { now, statusAndBody, unknownId } from "../support/invitations.ts"
import { service } from "../support/sallyport.ts"

const callback = "https://grafana.example.test/login/generic_oauth"

const jwk = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" })

const scopes = ["openid", "profile", "email", "offline_access", "orgs"]

const realmOf = async (settings: object = { jwt_algo: "rs256" }) => (await service()).given.realm({ ...settings })

/** The page settings of an OAuth client, all empty. */
const noPages = {
  subdomain: null,
  domains: [],
  login_url: null,
  header: null,
  footer: null,
  external_css: null,
  login_handler: null,
  signup_handler: null,
  logout_uris: [],
  signup_mode: "none",
  require_password_confirmation: false,
  require_names: false,
  require_org_name: false,
  allow_jsonp: false,
  auto_continue: false,
  allow_invitations: false,
  invitation_permissions: [],
  appearance: noAppearance
}

const defaults = {
  state: "active",
  redirect_uris: [],
  post_logout_redirect_uris: [],
  backchannel_logout_uri: null,
  client_uri: null,
  initiate_login_uri: null,
  grant_types: ["authorization_code", "refresh_token"],
  token_endpoint_auth_method: "none",
  jwks: null,
  jwks_uri: null,
  allowed_scopes: scopes,
  resources: [],
  consent: "skip",
  id_token_claims: "scopes",
  require_pkce: true,
  require_par: false,
  require_dpop: false,
  access_token_minutes: 60,
  refresh_token_days: 30,
  login_app_id: null,
  registration: null
}

const device = "urn:ietf:params:oauth:grant-type:device_code"

/** Each client type with its required settings and its defaults. */
const types = [
  { type: "web", needed: { redirect_uris: [callback] }, own: { token_endpoint_auth_method: "client_secret_basic" } },
  { type: "spa", needed: { redirect_uris: ["http://localhost:3000/back"] }, own: {} },
  { type: "native", needed: { redirect_uris: ["com.example.app:/back", "http://127.0.0.1/back"] }, own: {} },
  {
    type: "machine",
    needed: {},
    own: {
      grant_types: ["client_credentials"],
      token_endpoint_auth_method: "client_secret_basic",
      allowed_scopes: []
    }
  },
  { type: "device", needed: {}, own: { grant_types: [device, "refresh_token"] } }
]

const everything = {
  state: "inactive",
  name: "Grafana",
  redirect_uris: [callback, `${callback}/`],
  post_logout_redirect_uris: ["https://grafana.example.test/bye"],
  backchannel_logout_uri: "https://grafana.example.test/ended",
  client_uri: "https://grafana.example.test/",
  initiate_login_uri: "https://grafana.example.test/login?from=here",
  grant_types: ["authorization_code", "client_credentials"],
  token_endpoint_auth_method: "private_key_jwt",
  jwks: { keys: [{ ...jwk, kid: "one", use: "sig", alg: "ES256" }] },
  allowed_scopes: ["openid", "email"],
  resources: ["https://api.example.test/v1", "urn:example:notes"],
  consent: "ask",
  id_token_claims: "minimal",
  require_pkce: false,
  require_par: true,
  require_dpop: true,
  access_token_minutes: 5,
  refresh_token_days: 90
}

describe.each(appVersions)("OAuth clients: $path", (as) => {
  const { path, wrapper, named, title } = as

  test.each(types)("creates a $type client with its defaults and shows the secret only once", async (one) => {
    const realm = await realmOf()
    const sent = { name: "Grafana", client_type: one.type, ...one.needed }
    const { result, events } = await eventsSeenBy(as, realm).during(() => realm.post(path, { [wrapper]: sent }))
    const { client_secret, ...body } = Object(result.body)
    expect({ status: result.status, body }).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^lpl_\w{26}$/),
        object: wrapper,
        name: "Grafana",
        realm_id: realm.id,
        client_type: one.type,
        client_id: result.id,
        ...noPages,
        ...defaults,
        ...one.own,
        ...one.needed,
        created_at: now
      }
    })
    const isSecret = "token_endpoint_auth_method" in one.own
    expect(client_secret).toEqual(isSecret ? expect.stringMatching(/^ocs_[0-9A-Za-z]{43}$/) : undefined)
    expect(events).toEqual([{ event_type: "login_policy.created", [named]: result.id }])
    expect(statusAndBody(await (await realm.as("read")).get(`${path}/${result.id}`))).toEqual({ status: 200, body })
    expect((await realm.get(path)).items).toEqual([
      expect.objectContaining({ id: result.id, client_type: one.type, subdomain: null, domains: [], login_url: null })
    ])
  })

  test("stores every setting unchanged and accepts its own response as input", async () => {
    const realm = await realmOf()
    const login_app_id = (await realm.connectedApp()).id
    const made = await realm.post(path, { [wrapper]: { client_type: "web", ...everything, login_app_id } })
    expect([made.status, made.body]).toMatchObject([201, { ...everything, login_app_id }])
    expect(made.member("client_secret")).toBeUndefined()
    const { result, events } = await eventsSeenBy(as, realm).during(() =>
      realm.put(`${path}/${made.id}`, { [wrapper]: made.body })
    )
    expect([result.status, result.body, events]).toEqual([200, made.body, []])
  })

  test("updates only the given settings, and restores the default of a setting that is null", async () => {
    const realm = await realmOf()
    const made = await realm.post(path, { [wrapper]: { name: "x", client_type: "web", redirect_uris: [callback] } })
    const { client_secret: _, ...before } = Object(made.body)
    const { state: __, ...settings } = everything
    const { result, events } = await eventsSeenBy(as, realm).during(() =>
      realm.put(`${path}/${made.id}`, { [wrapper]: settings })
    )
    expect(statusAndBody(result)).toEqual({ status: 200, body: { ...before, ...settings } })
    const changed = Object.keys(settings).toSorted()
    expect(events).toEqual([{ event_type: "login_policy.updated", [named]: made.id }])
    const [event] = (await realm.get("/v2/events?event_type=login_policy.updated")).items
    expect((await realm.get(`/v2/events/${String(event?.["id"])}`)).member("changed")).toEqual(changed)

    const nothing = Object.fromEntries(
      changed.filter((name) => name !== "name" && name !== "redirect_uris").map((name) => [name, null])
    )
    const restored = await realm.put(`${path}/${made.id}`, { [wrapper]: nothing })
    expect(restored.body).toEqual({ ...before, name: "Grafana", redirect_uris: everything.redirect_uris })
  })

  test("deletes a client with 204 and login_policy.deleted", async () => {
    const realm = await realmOf()
    const made = await realm.post(path, { [wrapper]: { name: "x", client_type: "machine" } })
    const { result, events } = await eventsSeenBy(as, realm).during(() => realm.delete(`${path}/${made.id}`))
    expect([result.status, events]).toEqual([204, [{ event_type: "login_policy.deleted", [named]: made.id }]])
    for (const reply of [await realm.get(`${path}/${made.id}`), await realm.get(`${path}/${unknownId(made.id)}`)]) {
      expect([reply.status, reply.errors]).toEqual([404, [`${title} could not be found.`]])
    }
  })

  test("falls back to the oldest app when a client's login app is deleted", async () => {
    const realm = await realmOf()
    const app = await realm.connectedApp()
    const sent = { name: "x", client_type: "device", login_app_id: app.id }
    const made = await realm.post(path, { [wrapper]: sent })
    expect((await realm.delete(`${path}/${app.id}`)).status).toBe(204)
    expect((await realm.get(`${path}/${made.id}`)).body).toEqual({ ...Object(made.body), login_app_id: null })
  })

  test("adds an RS256 key for the first client of a realm that signs with HS256", async () => {
    const realm = await realmOf({ jwt_algo: "hs256" })
    const client = () => realm.post(path, { [wrapper]: { name: "x", client_type: "machine" } })
    const { result, events } = await eventsSeenBy(as, realm).during(client)
    expect(events).toEqual([
      { event_type: "login_policy.created", [named]: result.id },
      { event_type: "realm.updated" }
    ])
    const algorithms = async () => (await realm.get("/v2/jwt_keys")).items.map(({ algo }) => algo).toSorted()
    expect(await algorithms()).toEqual(["hs256", "rs256"])
    expect(await eventsSeenBy(as, realm).caused(client)).toEqual([
      expect.objectContaining({ event_type: "login_policy.created" })
    ])
    expect(await algorithms()).toEqual(["hs256", "rs256"])
    expect((await realm.get(`/v2/realms/${realm.id}`)).member("jwt_algo")).toBe("hs256")
  })

  test("lists apps of all types together, in order", async () => {
    const realm = await realmOf()
    const names = ["Delta", "alpha", "Charlie", "bravo"]
    for (const [index, name] of names.entries()) {
      await realm.post(path, { [wrapper]: index % 2 === 0 ? minimalApp({ name }) : { name, client_type: "device" } })
    }
    const first = await realm.get(`${path}?max_results=2`)
    const second = await realm.get(`${path}?after=${first.items.at(-1)?.["id"]}`)
    const sorted = [...first.items, ...second.items].map(({ name, client_type }) => [name, client_type])
    expect(sorted).toEqual([
      ["alpha", "device"],
      ["bravo", "device"],
      ["Charlie", "standard"],
      ["Delta", "standard"]
    ])
  })
})

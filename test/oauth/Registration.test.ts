import * as oauth from "oauth4webapi"
import { describe, expect, test } from "vitest"
import { protectedResource } from "#client/resource/ProtectedResource"
import { Api } from "#testing/Api"
import { authorize, VERIFIER } from "../support/authorize.ts"
import { redeem, sendAs } from "../support/oauthTokens.ts"
import { agent, MCP, oauthErrorOf, openRealm, register, registered } from "../support/registration.ts"
import { clockedService } from "../support/sallyport.ts"
import { visitorAtApp } from "../support/visitor.ts"
import { peerFetch } from "./peers/PeerFetch.ts"

const newOpenRealm = async (settings: object = openRealm) => (await clockedService()).given.realm({ ...settings })

const DEVICE = "urn:ietf:params:oauth:grant-type:device_code"

test("an MCP client discovers the realm from the server, registers, logs its user in and calls the server", async () => {
  const { clock } = await clockedService()
  const realm = await newOpenRealm({ ...openRealm, jwt_algo: "hs256" })
  const at = await visitorAtApp(realm)
  const fetch = peerFetch(realm.transport)
  const now = () => new Date(clock.currentTimeMillisUnsafe())
  const issuer = `https://id.example.test/realms/${realm.id}`
  const server = protectedResource({ resource: MCP, issuer, scopes: ["notes:read"], fetch, now })

  // The server's metadata names the realm even before the realm has a client or a key to sign tokens.
  const [found = ""] = server.metadata.authorization_servers
  const as = await oauth.processDiscoveryResponse(
    new URL(found),
    await oauth.discoveryRequest(new URL(found), {
      algorithm: "oauth2",
      [oauth.customFetch]: (url, { method, headers }) => fetch(url, { method, headers })
    })
  )
  expect(as.registration_endpoint).toBe(`${issuer}/register`)
  expect(as.client_id_metadata_document_supported).toBe(true)
  const { result: client, events } = await realm.seen.during(async () =>
    oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(as, agent, {
        [oauth.customFetch]: (url, { body, ...init }) => fetch(url, { ...init, body })
      })
    )
  )
  const { client_id: id } = client
  expect(events).toEqual([
    { event_type: "login_policy.created", client_app_id: id },
    { event_type: "oauth.client.registered", client_app_id: id },
    { event_type: "realm.updated" }
  ])

  const place = "http://127.0.0.1:50123/callback"
  const asked = { redirect_uri: place, scope: "notes:read offline_access", resource: MCP }
  const { code = "" } = await authorize({ ...at, realm, client: { id, secret: undefined, body: {} } }, asked, place)
  const self = { id, secret: undefined }
  const tokens = await redeem(self, realm, code, { redirect_uri: place, code_verifier: VERIFIER, resource: MCP })
  const headers = { authorization: `Bearer ${tokens.string("access_token")}` }
  const header = (name: string) => Reflect.get(headers, name)
  const called = await server.authenticate({ method: "POST", url: "/mcp", header }, "notes:read")
  expect([called.sub, called.client_id, called.aud]).toEqual([at.user.id, id, [MCP]])
})

describe("C194: client registration", () => {
  test("is off by default", async () => {
    const realm = await newOpenRealm({ jwt_algo: "rs256" })
    const { result, events } = await realm.seen.during(() => register(realm, agent, realm.key))
    expect(oauthErrorOf(result)).toEqual([403, "access_denied", "Clients can't register themselves in this realm."])
    expect(events).toEqual([])
  })

  test("requires a key that may create clients if client_registration is `token`", async () => {
    const realm = await newOpenRealm({ jwt_algo: "rs256", client_registration: "token", oauth_scopes: ["orders:read"] })
    const { key = "" } = await realm.as("admin_realm")
    const robot = { client_name: "Robot", grant_types: ["client_credentials"], scope: "orders:read openid" }
    const { result, events } = await realm.seen.during(() => register(realm, robot, key))
    expect([result.status, result.body]).toMatchObject([
      201,
      {
        client_name: "Robot",
        grant_types: ["client_credentials"],
        response_types: [],
        token_endpoint_auth_method: "client_secret_basic",
        client_secret_expires_at: 0,
        scope: "orders:read"
      }
    ])
    const id = result.string("client_id")
    expect(events).toEqual([
      { event_type: "login_policy.created", client_app_id: id },
      { event_type: "oauth.client.registered", client_app_id: id }
    ])
    const app = (await realm.get(`/v2/client_apps/${id}`)).body
    expect(app).toMatchObject({ client_type: "machine", consent: "ask", registration: "token", client_id: id })
    const client = { id, secret: result.string("client_secret") }
    const token = await sendAs(client, realm, "token", { grant_type: "client_credentials" })
    expect([token.status, token.member("scope")]).toEqual([200, "orders:read"])
    const device = await register(realm, { grant_types: [DEVICE], token_endpoint_auth_method: "none" }, key)
    expect(device.status).toBe(201)
    await (await clockedService()).advance("3 days")
    expect((await realm.get(`/v2/client_apps/${device.string("client_id")}`)).status).toBe(200)
  })
})

describe("C195: the registration response contains the accepted metadata", () => {
  let made: ReturnType<typeof newOpenRealm> | undefined
  const shared = () => (made ??= newOpenRealm())

  const web = { redirect_uris: ["https://a.example.test/cb"] }
  const cases: ReadonlyArray<readonly [string, object, string, object]> = [
    ["a web server, which has a secret by default", web, "web", { client_name: "a.example.test" }],
    [
      "a client with an invisible name, which is named after the host of its redirect URI",
      { ...web, client_name: " \u200b\u2060 " },
      "web",
      { client_name: "a.example.test" }
    ],
    ["a browser app", { ...web, token_endpoint_auth_method: "none" }, "spa", { application_type: "web" }],
    ["a native app, recognized by its loopback redirect URI", agent, "native", { application_type: "native" }],
    [
      "a native app with a private-use scheme and unknown members",
      { ...agent, redirect_uris: ["com.example.app:/cb"], logo_uri: "https://x.example/l.png", "client_name#es": "x" },
      "native",
      { redirect_uris: ["com.example.app:/cb"] }
    ],
    [
      "a native app with a scheme without a dot (C214), named after the scheme and never after a host (SEC-214)",
      { ...agent, client_name: "", redirect_uris: ["editor://bank.example.test/oauth/callback"] },
      "native",
      { client_name: "editor", redirect_uris: ["editor://bank.example.test/oauth/callback"] }
    ],
    [
      "a client with DPoP-bound tokens that asks for more scopes than it may have",
      {
        ...web,
        dpop_bound_access_tokens: true,
        scope: "email notes:admin",
        backchannel_logout_uri: "https://a.test/",
        post_logout_redirect_uris: ["https://a.test/"]
      },
      "web",
      { dpop_bound_access_tokens: true, scope: "email openid profile offline_access orgs notes:read" }
    ]
  ]
  test.each(cases)("%s", async (_, metadata, type, states) => {
    const realm = await shared()
    const reply = await register(realm, metadata)
    expect([reply.status, reply.body]).toMatchObject([201, states])
    expect(reply.headers.get("cache-control")).toBe("no-store")
    expect(reply.member("logo_uri")).toBeUndefined()
    expect(reply.member("backchannel_logout_uri")).toBeUndefined()
    expect(reply.member("post_logout_redirect_uris")).toBeUndefined()
    expect(reply.member("client_secret") === undefined).toBe(type !== "web")
    expect(reply.string("registration_access_token")).toMatch(/^ocr_[\dA-Za-z]{43}$/)
    const id = reply.string("client_id")
    expect(reply.string("registration_client_uri")).toBe(`https://id.example.test/realms/${realm.id}/register/${id}`)
    const app = await realm.get(`/v2/client_apps/${id}`)
    expect(app.body).toMatchObject({ client_type: type, consent: "ask", require_pkce: true, registration: "open" })
  })

  const invalid = "invalid_client_metadata"
  const refused: ReadonlyArray<readonly [unknown, string, string]> = [
    ["[]", invalid, "The body must be a JSON object of at most 16 KB."],
    [JSON.stringify({ ...agent, x: "x".repeat(16_384) }), invalid, "The body must be a JSON object of at most 16 KB."],
    ["{", invalid, "The body must be a JSON object of at most 16 KB."],
    [{}, "invalid_redirect_uri", "redirect_uris can't be blank."],
    [{ redirect_uris: "https://a.test/" }, "invalid_redirect_uri", "redirect_uris must be an array of strings."],
    [{ ...agent, client_name: 1 }, invalid, "client_name must be a string."],
    [{ ...agent, client_name: "x".repeat(256) }, invalid, "client_name is too long (maximum is 255 characters)."],
    [{ ...agent, grant_types: ["implicit"] }, invalid, "grant_types must include one of: authorization_code."],
    [{ ...agent, grant_types: ["refresh_token"] }, invalid, "grant_types must include one of: authorization_code."],
    [{ ...agent, response_types: ["code token"] }, invalid, "The only response type is code."],
    [{ ...agent, subject_type: "pairwise" }, invalid, "subject_type must be one of: public."],
    [{ ...agent, jwks_uri: "ftp://a.test/jwks" }, invalid, expect.stringMatching(/^jwks_uri /)],
    [{ ...agent, jwks_uri: 7 }, invalid, "jwks_uri must be a string."],
    [
      { ...agent, jwks: { keys: [] }, jwks_uri: "https://a.test/jwks" },
      invalid,
      "Only one of jwks and jwks_uri can be present."
    ],
    [{ ...web, token_endpoint_auth_method: "private_key_jwt" }, invalid, expect.stringContaining("blank")],
    [{ ...web, token_endpoint_auth_method: "tls_client_auth" }, invalid, expect.stringContaining("must be one of")],
    [{ ...agent, software_statement: 1 }, "invalid_software_statement", expect.any(String)],
    [{ ...agent, software_statement: "a.b.c" }, "unapproved_software_statement", expect.any(String)]
  ]
  test("rejects invalid metadata with the RFC 7591 error codes without storing a client", async () => {
    const realm = await shared()
    const { events } = await realm.seen.during(async () => {
      for (const [metadata, error, description] of refused) {
        const reply = await register(realm, metadata)
        expect([metadata, ...oauthErrorOf(reply)]).toEqual([metadata, 400, error, description])
      }
    })
    expect(events).toEqual([])
    const nobody = new Api(realm.transport, undefined)
    const headers = { "content-type": "text/plain" }
    const plain = await nobody.call("POST", `/realms/${realm.id}/register`, { headers, body: JSON.stringify(agent) })
    expect(oauthErrorOf(plain)).toEqual([400, invalid, "The body must be a JSON object of at most 16 KB."])
    expect((await nobody.get(`/realms/${realm.id}/register`)).status).toBe(405)
  })

  test("never returns a server error, whatever the value of a member", async () => {
    const realm = await shared()
    const names = [...Object.keys(agent), "scope", "jwks", "jwks_uri", "application_type", "post_logout_redirect_uris"]
    const deep = `${"[".repeat(1_000)}${"]".repeat(1_000)}`
    const values = [
      null,
      0,
      true,
      "",
      "\u0000",
      "\ud800",
      "é".repeat(5_000),
      [],
      [""],
      [null, {}],
      { keys: [{}] },
      JSON.parse(deep)
    ]
    for (const name of [...names, "dpop_bound_access_tokens", "software_statement", "__proto__"]) {
      for (const value of values) {
        const body = JSON.stringify({ ...agent, [name]: value })
        const reply = await register(realm, body)
        expect([name, value, reply.status < 500]).toEqual([name, value, true])
      }
    }
  })

  test("allows pages of any origin to register a client and manage it", async () => {
    const realm = await shared()
    const headers = { origin: "https://inspector.example.test", "access-control-request-method": "PUT" }
    for (const path of ["register", "register/lpl_x"]) {
      const reply = await new Api(realm.transport, undefined).call("OPTIONS", `/realms/${realm.id}/${path}`, {
        headers
      })
      expect([reply.status, reply.headers.get("access-control-allow-origin")]).toEqual([204, "*"])
    }
    const local = await register(realm, {
      ...agent,
      redirect_uris: ["http://localhost:6274/callback", "com.example.app:/cb"]
    })
    expect(local.headers.get("access-control-allow-origin")).toBe("*")
    const client = { id: local.string("client_id"), secret: undefined }
    const answered = await redeem(client, realm, "oac_x", {}, { origin: "http://localhost:6274" })
    expect(answered.headers.get("access-control-allow-origin")).toBe("http://localhost:6274")
    // Sandboxed frames send this origin, and URL parsers return it for a private-use scheme (SEC-161).
    const sandboxed = await redeem(client, realm, "oac_x", {}, { origin: "null" })
    expect(sandboxed.headers.get("access-control-allow-origin")).toBeNull()
  })
})

test("C195: a client reads, replaces and deletes its registration, and each update rotates its token", async () => {
  const realm = await newOpenRealm()
  const made = await register(realm, agent)
  const [id, first] = [made.string("client_id"), made.string("registration_access_token")]
  const read = await registered(realm, id, first).read()
  expect([read.status, read.body]).toEqual([200, made.body])

  const changed = { ...agent, client_name: "Other agent", redirect_uris: ["http://127.0.0.1/other"] }
  const { result, events } = await realm.seen.during(() => registered(realm, id, first).update(changed))
  const second = result.string("registration_access_token")
  expect([result.status, result.body]).toEqual([
    200,
    { ...Object(made.body), ...changed, registration_access_token: second }
  ])
  expect(second).not.toBe(first)
  expect(events).toEqual([{ event_type: "login_policy.updated", client_app_id: id }])
  const [event] = (await realm.get("/v2/events?event_type=login_policy.updated")).items
  expect(event).toMatchObject({ actor: { type: "client_app", id }, changed: ["name", "redirect_uris"] })

  for (const [metadata, error] of [
    [{ ...changed, client_id: "lpl_x" }, "invalid_client_metadata"],
    [{ redirect_uris: ["https://a.example.test/cb"] }, "invalid_client_metadata"],
    [{ ...changed, application_type: "native", redirect_uris: [] }, "invalid_redirect_uri"]
  ] as const) {
    expect(oauthErrorOf(await registered(realm, id, second).update(metadata)).slice(0, 2)).toEqual([400, error])
  }
  const gone = await realm.seen.caused(async () => {
    expect((await registered(realm, id, second).delete()).status).toBe(204)
  })
  expect(gone).toEqual([{ event_type: "login_policy.deleted", client_app_id: id }])
  expect((await registered(realm, id, second).read()).status).toBe(401)
})

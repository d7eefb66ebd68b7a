import { exportJWK, generateKeyPair, SignJWT } from "jose"
import { beforeAll, describe, expect, test } from "vitest"
import { copySeconds, isDocumentUrl } from "#domain/clients/ClientRegistration"
import { JWT_BEARER } from "#domain/oauth/ClientAssertion"
import { authorize, begin, CONSENT, followRedirects, LOGIN, requestAuthorization } from "../support/authorize.ts"
import {
  CALLBACK,
  fetchCount,
  minimalDocument,
  published,
  request,
  statusAndMessage,
  verified
} from "../support/documents.ts"
import { PASSWORD } from "../support/logins.ts"
import { claimsIn, redeem, refresh, sendForm } from "../support/oauthTokens.ts"
import { heading, visibleText } from "../support/pages.ts"
import { canary } from "../support/receivers.ts"
import { documentOf, MCP, openRealm, type Published, publishing } from "../support/registration.ts"

beforeAll(publishing)

test("C197: a client can use the URL of its metadata document as client_id", async () => {
  const at = await published(minimalDocument)
  const { result, events } = await at.realm.seen.during(() => authorize(at, request, CALLBACK))
  const [app] = (await at.realm.get("/v2/client_apps?sort=name")).items.filter(({ name }) => name === "Desktop agent")
  const id = String(app?.["id"])
  expect(events.slice(0, 2)).toEqual([
    { event_type: "login_policy.created", client_app_id: id },
    { event_type: "oauth.client.registered", client_app_id: id }
  ])
  const { code = "" } = result
  const tokens = await redeem(at.client, at.realm, code, verified)
  expect(claimsIn(tokens)).toMatchObject({ client_id: at.url, aud: MCP, sub: at.user.id, scope: request.scope })
  expect(claimsIn(tokens, "id_token")).toMatchObject({ aud: at.url, azp: at.url })
  const again = await refresh(at.client, at.realm, tokens.string("refresh_token"))
  expect(again.status).toBe(200)
  const token = again.string("access_token")
  const shown = await at.realm.get(`/v2/client_apps/${id}`)
  expect(shown.body).toMatchObject({
    client_id: at.url,
    registration: "document",
    client_type: "spa",
    consent: "ask",
    redirect_uris: [CALLBACK]
  })
  expect(await fetchCount(at.url)).toBe(1)
  expect((await sendForm(at.realm, "revoke", { client_id: at.url, token })).status).toBe(200)
  await at.realm.delete(`/v2/client_apps/${id}`)
  const gone = await refresh(at.client, at.realm, again.string("refresh_token"))
  expect([gone.status, gone.member("error")]).toEqual([401, "invalid_client"])
})

test("C197: a client authenticates with the keys in its document and may push its request", async () => {
  const { publicKey, privateKey } = await generateKeyPair("ES256")
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: "1" }] }
  const at = await published((url) => ({ body: documentOf(url, { jwks }) }))
  const seconds = (await publishing()).clock.currentTimeMillisUnsafe() / 1_000
  const assertion = () =>
    new SignJWT({ jti: crypto.randomUUID() })
      .setProtectedHeader({ alg: "ES256", kid: "1" })
      .setIssuer(at.url)
      .setSubject(at.url)
      .setAudience(`https://id.example.test/realms/${at.realm.id}`)
      .setExpirationTime(Math.floor(seconds) + 60)
      .sign(privateKey)
  const proof = async () => ({
    client_id: at.url,
    client_assertion_type: JWT_BEARER,
    client_assertion: await assertion()
  })
  const pushed = await sendForm(at.realm, "par", {
    ...(await proof()),
    ...request,
    response_type: "code",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256"
  })
  expect(pushed.status).toBe(201)
  const query = new URLSearchParams({ client_id: at.url, request_uri: pushed.string("request_uri") })
  const { code = "" } = await authorize(at, query, CALLBACK)
  const form = { grant_type: "authorization_code", code, ...verified }
  expect((await sendForm(at.realm, "token", { client_id: at.url, ...form })).member("error")).toBe("invalid_client")
  expect((await sendForm(at.realm, "token", { ...form, ...(await proof()) })).status).toBe(200)
})

describe("SEC-190: a metadata document", () => {
  test("is never fetched from a private address or after a redirect", async () => {
    const prey = await canary()
    const at = await published((url) => ({ body: documentOf(url), status: 302 }))
    expect(await statusAndMessage(at)).toEqual([
      400,
      null,
      "invalid_client: The client's metadata document can't be fetched."
    ])
    for (const host of ["127.0.0.1", "localhost", "[::1]", "[::ffff:7f00:1]", "169.254.169.254", "10.0.0.1"]) {
      const reply = await statusAndMessage(at, { client_id: `https://${host}:${prey.port}/client.json` })
      expect([host, ...reply]).toEqual([host, 400, null, expect.stringContaining("can't be fetched")])
    }
    expect(prey.sockets.length).toBe(0)
    await prey.stop()
  })

  const twice = { jwks: { keys: [] }, jwks_uri: "https://a.test/jwks" }
  const unusable: ReadonlyArray<readonly [string, (url: string) => Published, string]> = [
    [
      "a document of another client",
      (url) => ({ body: documentOf(`${url}x`) }),
      "The client_id in the client's metadata document is not its URL."
    ],
    ["an HTML document", (url) => ({ body: documentOf(url), contentType: "text/html" }), "is not JSON"],
    ["a truncated document", () => ({ body: "{" }), "is not JSON"],
    ["a list", () => ({ body: "[]" }), "is not JSON"],
    ["a missing document", (url) => ({ body: documentOf(url), status: 404 }), "can't be fetched"],
    [
      "a document with a secret",
      (url) => ({ body: documentOf(url, { token_endpoint_auth_method: "client_secret_post" }) }),
      "something that is not allowed here"
    ],
    [
      "a document with a javascript: redirect URI",
      (url) => ({ body: documentOf(url, { redirect_uris: ["javascript:alert(1)"] }) }),
      "something that is not allowed here"
    ],
    [
      "a document with the client_credentials grant",
      (url) => ({ body: documentOf(url, { grant_types: ["client_credentials"] }) }),
      "something that is not allowed here"
    ],
    [
      "a document with a non-HTTPS jwks_uri",
      (url) => ({ body: documentOf(url, { jwks_uri: "file:///keys" }) }),
      "something that is not allowed here"
    ],
    [
      "a document with both jwks and jwks_uri",
      (url) => ({ body: documentOf(url, twice) }),
      "something that is not allowed here"
    ]
  ]
  test.each(unusable)("is rejected with an error page and not stored: %s", async (_, document, why) => {
    const at = await published(document)
    const { result, events } = await at.realm.seen.during(() => statusAndMessage(at))
    expect(result).toEqual([400, null, expect.stringContaining(why)])
    expect(events).toEqual([])
  })

  test("is fetched with limits on size and time, and only from a normalized URL", async () => {
    const at = await published(minimalDocument)
    await requestAuthorization(at, request)
    const { fetched } = await publishing()
    expect(fetched.find(({ url }) => url === at.url)).toMatchObject({
      method: "GET",
      timeLimit: 5_000,
      maxBytes: 5_120
    })
    for (const url of [
      "http://a.example.test/c",
      "https://a.example.test",
      "https://a.example.test/",
      "https://A.example.test/c",
      "https://a.example.test/x/../c",
      "https://a.example.test:443/c",
      "https://u:p@a.example.test/c",
      "https://a.example.test/c#x"
    ]) {
      expect([url, isDocumentUrl(url)]).toEqual([url, false])
      expect(await statusAndMessage(at, { client_id: url })).toEqual([
        400,
        null,
        "invalid_client: There is no active client with this client_id."
      ])
      expect(await fetchCount(url)).toBe(0)
    }
  })

  test("cannot use up the realm's request slots by loading slowly", async () => {
    const at = await published(minimalDocument)
    const { documents } = await publishing()
    const wait = Promise.withResolvers<void>()
    const urls = Array.from({ length: 40 }, (_, n) => `${at.url}/${n}`)
    for (const url of urls) documents.set(url, { body: "{", after: wait.promise })
    const replies = urls.map((url) => requestAuthorization(at, { ...request, client_id: url }))
    const refused = await Promise.race(replies)
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"])
    expect((await requestAuthorization(at, request)).status).toBe(503)
    expect((await sendForm(at.realm, "token", { client_id: at.url, grant_type: "x" })).status).toBe(401)
    wait.resolve()
    const statuses = (await Promise.all(replies)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([400, 503]))
    expect((await requestAuthorization(at, request)).status).toBe(303)
  })

  test.each([
    [undefined, 3_600],
    ["max-age=7200, public", 7_200],
    ["max-age=1", 300],
    ["no-store", 300],
    ["max-age=31536000", 86_400]
  ])("with Cache-Control %j is cached for %i seconds", (header, seconds) => {
    expect(copySeconds(header)).toBe(seconds)
  })

  test("takes effect when the cached copy expires, and users are asked for consent again", async () => {
    const { documents, advance } = await publishing()
    const at = await published((url) => ({ body: documentOf(url), cacheControl: "max-age=600" }))
    await authorize(at, request, CALLBACK)
    const [app] = (await at.realm.get("/v2/client_apps")).items.filter(({ name }) => name === "Desktop agent")
    const path = `/v2/client_apps/${String(app?.["id"])}`
    await at.realm.put(path, { client_app: { allowed_scopes: ["openid", "notes:admin"] } })
    const moved = "https://moved.example.test/callback"
    documents.set(at.url, { body: documentOf(at.url, { client_name: "Grafana", redirect_uris: [moved] }) })
    expect((await requestAuthorization(at, { ...request, redirect_uri: moved })).status).toBe(400)
    await advance("11 minutes")
    expect(await statusAndMessage(at)).toEqual([
      400,
      null,
      "invalid_request: redirect_uri is not registered for the client."
    ])
    await begin(at, { ...request, redirect_uri: moved })
    expect(heading(at.visitor.page)).toBe(CONSENT)
    expect(visibleText(at.visitor.page)).toContain(
      `This app comes from ${new URL(at.url).host} , and nobody has verified its name.`
    )
    // The document can't change what the management API allows the client.
    expect((await at.realm.get(path)).body).toMatchObject({
      name: "Grafana",
      allowed_scopes: ["openid", "notes:admin"]
    })
    documents.delete(at.url)
    await advance("2 hours")
    expect(await statusAndMessage(at)).toEqual([400, null, expect.stringContaining("can't be fetched")])
  })

  test("is ignored if registration is off or the client is deactivated", async () => {
    const at = await published(minimalDocument, { ...openRealm, client_registration: "token" })
    const unknown = [400, null, "invalid_client: Client authentication failed."]
    expect(await statusAndMessage(at)).toEqual(unknown)
    expect(await fetchCount(at.url)).toBe(0)
    const setRegistration = (client_registration: string) =>
      at.realm.put(`/v2/realms/${at.realm.id}`, { realm: { client_registration } })
    await setRegistration("open")
    const { code = "" } = await authorize(at, request, CALLBACK)
    await setRegistration("off")
    expect(await statusAndMessage(at)).toEqual(unknown)
    // Existing grants stay valid until they are revoked.
    expect((await redeem(at.client, at.realm, code, verified)).status).toBe(200)
    await setRegistration("open")
    const [app] = (await at.realm.get("/v2/client_apps")).items.filter(({ name }) => name === "Desktop agent")
    // The app's id is only for the management API. Used as client_id, it doesn't find the document.
    expect(await statusAndMessage(at, { client_id: String(app?.["id"]) })).toEqual(unknown)
    await at.realm.put(`/v2/client_apps/${String(app?.["id"])}`, { client_app: { state: "inactive" } })
    expect(await statusAndMessage(at)).toEqual(unknown)
    expect(await fetchCount(at.url)).toBe(1)
  })
})

test("SEC-192: the consent page names the client's origin and the site that receives the access", async () => {
  const at = await published(minimalDocument)
  await begin(at, request)
  await at.visitor.fill({ name: at.email, password: PASSWORD }, LOGIN)
  await followRedirects(at)
  expect(visibleText(at.visitor.page)).toContain(
    `This app comes from ${new URL(at.url).host} , and nobody has verified its name.`
  )
  expect(visibleText(at.visitor.page)).toContain("You'll continue to agent.example.test , which will get this access.")
})

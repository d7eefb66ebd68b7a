import { createServer } from "node:http"
import { expect, test } from "vitest"
import { Api } from "#testing/Api"
import { GivenRealm } from "#testing/Given"
import { appWithDouble, beginLogin, returnWithCode } from "../../external/BrowserLogins.ts"
import { profile } from "../../support/external.ts"
import { start } from "../ServerProcess.ts"

const KEY = "canary-root-key-of-more-than-thirty-two-characters"

/** A recognizable secret or personal detail, one for every place in a request that can contain one. */
const canary = (where: string) => `canary-${where}`

/** Passwords are listed separately, since a password that contains a name from its realm is rejected. */
const passwords = ["nightingale sings softly", "kingfisher dives loudly", "albatross glides slowly"] as const

/** A collector that records what it receives. */
const collector = async () => {
  let received = ""
  const server = createServer((request, response) => {
    request.on("data", (chunk) => (received += chunk))
    request.on("end", () => response.end("{}"))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return { url: `http://127.0.0.1:${port}`, received: () => received, close: () => server.close() }
}

/** A login through a provider on an app's host, with canaries in everything the provider returns. */
const socialLogin = async (url: string, key: string, realmId: string) => {
  const given = new GivenRealm(url, key, realmId)
  const canaryProfile = profile({
    sub: canary("sub"),
    email: `${canary("social")}@example.test`,
    given_name: canary("given")
  })
  const at = await appWithDouble(given, { told: canaryProfile })
  at.double.answers({ token: { access_token: canary("access"), token_type: "bearer" } })
  const state = await beginLogin(at, `?canary-start`)
  expect((await returnWithCode(at, state, { error: canary("refused") })).status).toBe(422)
  expect((await returnWithCode(at, state, { code: canary("code") })).status).toBe(302)
}

test("SEC-82, SEC-49: no request leaks a secret to logs, metrics or traces", async () => {
  const otlp = await collector()
  const running = await start({
    DATABASE_URL: "memory://",
    SALLYPORT_ROOT_KEY: KEY,
    SALLYPORT_SECRET: canary("encryption-key-of-more-than-32-characters"),
    OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url
  })
  const root = new Api(running.url, KEY)
  const realm = await root.post("/v2/realms", { realm: { name: canary("realm"), jwt_algo: "hs256" } })
  const api = new Api(running.url, KEY, realm.id)
  const user = await api.post("/v2/users", {
    user: { email: `${canary("mail")}@example.test`, password: passwords[0], reference: canary("reference") },
    org: { name: canary("org"), custom: { note: canary("custom") } },
    request: { ip: canary("ip"), client: canary("client") }
  })
  const session = await api.post("/v2/sessions", { session: { user_id: user.id } })
  const key = await api.post("/v2/api_keys", { api_key: { name: canary("key"), level: "read", realm_id: realm.id } })
  await api.post("/v2/auth_providers", {
    auth_provider: { provider_type: "github", client_id: canary("client"), client_secret: canary("client-secret") }
  })
  const login = await api.post(`/v2/users/${user.id}/authenticate`, { user: { password: passwords[0] } })
  await api.post(`/v1/users/${user.id}/authenticate`, { password: passwords[1] })
  const reset = await api.post(`/v2/users/${user.id}/generate_password_token`, {})
  await api.post("/v2/users/reset_password_with_token", {
    user: { token: reset.string("token"), password: passwords[2] }
  })
  await api.post("/v1/users/authenticate_key", { api_key: canary("user-key") })
  await api.get(`/v1/user_tokens/${canary("signup-token")}`)
  const byToken = [session, login].map((made) => made.string("token"))
  await api.get(`/v2/sessions/${byToken[0]}`)
  for (const caller of [api, root, new Api(running.url, canary("no-key"))]) {
    await caller.get(`/v1/sessions/${byToken[0]}?expand=token`)
  }
  for (const path of [byToken[0], `${byToken[0]}${canary("tampered")}`, byToken[1]]) {
    await api.delete(`/v1/sessions/${path}`)
    await api.get(`/v1/sessions/${path}`)
  }
  await api.get(`/v2/users/${canary("mail")}@example.test?reference=${canary("query")}`)
  await api.get(`/${canary("path")}?token=${canary("token")}`)
  for (const page of ["verify", "reset", "invitation"].map((name) => `/realms/${realm.id}/${name}`)) {
    await api.get(`${page}?token=${canary("link")}`)
    const headers = { "content-type": "application/x-www-form-urlencoded" }
    await api.call("POST", page, { body: `token=${canary("form")}`, headers })
  }
  for (const page of ["", "/callback", "/code"].map((name) => `/auth/${canary("provider")}${name}`)) {
    const query = ["state", "code", "error", "invitation", "redirect_uri"].map((name) => `${name}=${canary(name)}`)
    await api.call("GET", `${page}?${query.join("&")}`, {
      headers: { cookie: `social_login_0123456789abcdef=${canary("cookie")}` }
    })
    const headers = { "content-type": "application/x-www-form-urlencoded" }
    await api.call("POST", page, { body: query.join("&"), headers })
  }
  await socialLogin(running.url, root.key ?? "", realm.id)
  await api.post("/v2/users", `{"user": ${canary("malformed")}`)
  await new Api(running.url, canary("wrong-key")).get("/v2/users")
  await api.post(
    "/v2/users",
    { user: { email: canary("wrong-mail"), password: "x" } },
    { "idempotency-key": canary("idempotency") }
  )
  const metrics = await new Api(running.url, undefined).get("/metrics")
  expect(metrics.text).toContain('route="/realms/:realm_id/reset"')
  expect(metrics.text).toContain('route="/auth/:provider/callback"')
  for (const version of ["v1", "v2"]) expect(metrics.text).toContain(`route="/${version}/sessions/:session_id"`)
  await running.stop("SIGTERM")
  otlp.close()

  expect(otlp.received()).toContain("POST /v2/users")
  const made = [login.string("token"), reset.string("token")]
  const secrets = [
    ...passwords,
    ...made,
    session.string("token"),
    key.string("key"),
    realm.string("jwt_key"),
    user.id,
    session.id,
    realm.id
  ]
  for (const [where, text] of Object.entries({
    log: running.output(),
    metrics: metrics.text,
    traces: otlp.received()
  })) {
    expect(text.match(/canary-[\w-]+/g) ?? [], where).toEqual([])
    // The root key's name starts with the canary. The service generates the other names.
    for (const secret of secrets) expect(text.includes(secret), `${where} ${secret.slice(0, 12)}`).toBe(false)
  }
})

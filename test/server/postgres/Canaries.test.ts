import { Redacted } from "effect"
import { Client } from "pg"
import { expect, onTestFinished, test } from "vitest"
import { Api, type Reply } from "#testing/Api"
import { GivenRealm } from "#testing/Given"
import { recoveryCodes } from "../../support/codes.ts"
import { freshDatabase } from "../../support/databases.ts"
import { mapping, profile, stateFor } from "../../support/external.ts"
import { newStandIn } from "../../support/standIns.ts"
import { passwordToken, passwordTokenV1 } from "../../support/tokens.ts"
import { startMailServer } from "../MailServer.ts"
import { newOAuthRealm, PUBLIC_URL, tokensIn } from "../OAuthRealm.ts"
import { start } from "../ServerProcess.ts"

const KEY = "root-key-that-nobody-may-ever-find-anywhere"
const SECRET = "encryption-key-that-nobody-may-find-anywhere"
const SMTP_PASSWORD = "s3cret-of-the-mail-server-canary"
const DATABASE_PASSWORD = "canary-of-the-database-in-its-url"
const PASSWORDS = ["nightingale sings softly", "kingfisher dives loudly"] as const

/** Every row of every table, as text. */
const dump = async (url: string): Promise<string> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows: tables } = await client.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public'"
  )
  const texts: Array<string> = []
  for (const { name } of tables) {
    const { rows } = await client.query<{ line: string }>(`select t::text as line from ${name} t`)
    texts.push(...rows.map(({ line }) => line))
  }
  await client.end()
  return texts.join("\n")
}

/** The encodings in which a secret could leak. */
const formsOf = (secret: string) =>
  (["utf8", "hex", "base64", "base64url"] as const).map((form) =>
    form === "utf8" ? secret : Buffer.from(secret).toString(form).replace(/=+$/, "")
  )

type Secrets = Record<string, string>

const credentials = async (realm: GivenRealm, kept: Secrets) => {
  const user = await realm.user({ password: PASSWORDS[0] })
  const robot = await realm.apiUser()
  const ask = (credential: object) => realm.post("/v2/credentials", { credential })
  kept["user's API key"] = (await ask({ user_id: robot.id, credential_type: "api_key" })).string("api_key")
  kept["device"] = (await ask({ user_id: user.id, credential_type: "totp", name: "Phone" })).string("otp_secret")
  const jwt_key = { algo: "hs256", use: "sign", key: "uploaded-signing-secret-of-32-bytes-and-more" }
  await realm.post("/v1/jwt_keys", { jwt_key })
  kept["uploaded key"] = jwt_key.key
  kept["signing key"] = (await realm.get(`/v1/realms/${realm.id}`)).string("jwt_key")
  const again = { "idempotency-key": `once-${realm.id}` }
  const locked = { api_key: { name: "Locked", level: "read", realm_id: realm.id } }
  kept["API key"] = (await realm.post("/v2/api_keys", locked, again)).string("key")
  const login = await realm.post(`/v2/users/${user.id}/authenticate`, { user: { password: PASSWORDS[0] } })
  kept["session token"] = login.string("token")
  kept["v2's reset"] = await passwordToken(realm, user.id)
  kept["v1's reset"] = await passwordTokenV1(realm, user.id)
  const signup = { username: "newcomer", email: "newcomer@example.test", password: PASSWORDS[1] }
  kept["signup"] = (await realm.post("/v1/user_tokens", { user_token: signup })).id
  kept["invitation"] = (await realm.invitation()).string("token")
  return user
}

/** A completed login through an external provider, an abandoned login, and an app whose texts contain no secret. */
const elsewhere = async (realm: GivenRealm, kept: Secrets) => {
  kept["access token"] = "access-token-of-the-provider-canary"
  const token = { access_token: kept["access token"], token_type: "Bearer" }
  const { url } = await newStandIn({ token, profile: profile() })
  kept["client secret"] = "client-secret-canary-of-the-provider"
  const { id } = await realm.authProvider({
    client_secret: kept["client secret"],
    authorization_url: `${url}/authorize`,
    token_url: `${url}/token`,
    profile_url: `${url}/profile`,
    ...mapping
  })
  kept["code"] = "authorization-code-canary"
  kept["state"] = await stateFor(realm, id)
  kept["state left"] = await stateFor(realm, id, "nonce-canary-of-the-caller")
  kept["nonce"] = "nonce-canary-of-the-caller"
  const back = { code: kept["code"], state: kept["state"] }
  expect((await realm.post("/v2/auth_providers/authorize", back)).status).toBe(201)
  await realm.post("/v2/auth_providers/authorize", back)
  await realm.connectedApp({ header: "<p>Hello</p>" })
}

/** Requests to the pages that emails link to, with tokens in queries and forms. */
const pages = async (realm: GivenRealm, kept: Secrets) => {
  const browser = new Api(realm.url, undefined)
  const replies: Array<Reply> = []
  for (const page of ["verify", "reset", "invitation"]) {
    const path = `/realms/${realm.id}/${page}`
    const token = page === "invitation" ? kept["invitation"] : kept["v2's reset"]
    replies.push(await browser.get(`${path}?token=${token}`))
    const body = new URLSearchParams({ token: token ?? "", password: PASSWORDS[1] }).toString()
    const headers = { "content-type": "application/x-www-form-urlencoded" }
    replies.push(await browser.call("POST", `${path}?token=${token}`, { body, headers }))
  }
  return replies
}

/** The tokens that an OAuth client and its user obtain from a realm. */
const tokens = async (url: string, kept: Secrets) => {
  const at = await newOAuthRealm(url, KEY)
  kept["OAuth client's secret"] = at.secret
  kept["authorization code"] = await at.code()
  const first = tokensIn(await at.redeem(url, kept["authorization code"]))
  kept["used refresh token"] = first.refresh
  const second = tokensIn(await at.refresh(url, first.refresh))
  kept["refresh token"] = second.refresh
  kept["OAuth access token"] = second.access
  expect((await at.userinfo(url, second.access)).status).toBe(200)
  await at.redeem(url, kept["authorization code"])
}

/** Sends each secret to places where it doesn't belong, and returns the responses. */
const refusals = async (realm: GivenRealm, kept: Secrets): Promise<string> => {
  const texts: Array<string> = []
  for (const secret of Object.values(kept)) {
    const found = await Promise.all([
      new Api(realm.url, `${secret}x`, realm.id).get("/v2/users"),
      realm.get(`/v2/users/${encodeURIComponent(secret)}`),
      realm.get(`/v2/sessions/${encodeURIComponent(secret)}x`),
      realm.post("/v2/users", { user: { email: 1, password: secret, [secret]: secret } }),
      realm.post("/v2/credentials", { credential: { credential_type: secret, user_id: secret, password: secret } }),
      realm.post("/v2/auth_providers", { auth_provider: { provider_type: secret, client_secret: [secret] } }),
      realm.post("/v2/users", `{"user": {"password": "${secret}"`)
    ])
    expect(found.filter(({ status }) => status < 400 || status > 499)).toEqual([])
    texts.push(...found.map(({ text }) => text))
  }
  return texts.join("\n")
}

/** Creates and uses a secret of every kind. */
const useAll = async (url: string, kept: Secrets, receiver: string, replies: Array<Reply>) => {
  const root = new Api(url, KEY)
  const made = await root.post("/v2/realms", {
    realm: { name: "Watched", jwt_algo: "hs256", api_key_policy: "encrypt" }
  })
  const realm = new GivenRealm(url, KEY, made.id)
  const hook = await realm.post("/v2/hooks", { hook: { realm_id: realm.id, event_type: [], destination: receiver } })
  kept["webhook's first secret"] = hook.string("secret")
  kept["webhook's secret"] = (await realm.post(`/v2/hooks/${hook.id}/rotate_secret`, {})).string("secret")
  await realm.post(`/v2/hooks/${hook.id}/ping`, {})
  const user = await credentials(realm, kept)
  kept["recovery code"] = (await recoveryCodes(realm, user.id))[0] ?? ""
  await tokens(url, kept)
  await elsewhere(realm, kept)
  replies.push(...(await pages(realm, kept)))
  kept["proof"] = (await realm.post(`/v2/users/${(await realm.user()).id}/request_email_verification`, {})).string(
    "token"
  )
  await realm.put(`/v2/users/${user.id}`, { user: { email_verification: "requested" } })
  for (let n = 0; n < 3; n++) await realm.post("/v2/users", { user: { email: n, password: PASSWORDS[0] } })
  return realm
}

const collector = async () => {
  const { url, got } = await newStandIn(
    Object.fromEntries(["v1/traces", "v1/logs", "v1/metrics"].map((path) => [path, {}]))
  )
  return { url, received: () => got.map(({ path, body }) => `${path} ${body}`).join("\n") }
}

test("SEC-82, SEC-46, SEC-47 (CVE-2024-4540): no secret of any kind leaks to any output or to the database", async () => {
  const target = await freshDatabase()
  if (target._tag !== "Postgres") throw new Error("This test needs PostgreSQL")
  // A server that trusts this machine asks for no password and accepts any password.
  const through = new URL(Redacted.value(target.url))
  if (through.password === "") through.password = DATABASE_PASSWORD
  const shared = {
    DATABASE_URL: through.href,
    SALLYPORT_PUBLIC_URL: PUBLIC_URL,
    HOST: "127.0.0.1",
    SALLYPORT_ROOT_KEY: KEY,
    SALLYPORT_SECRET: SECRET,
    SALLYPORT_ALLOW_PRIVATE_TARGETS: "true"
  }
  const [first, second] = PASSWORDS
  const kept: Secrets = { root: KEY, encryption: SECRET, smtp: SMTP_PASSWORD, first, second }
  kept["database"] = DATABASE_PASSWORD
  const replies: Array<Reply> = []
  const places: Secrets = {}
  const otlp = await collector()
  const receiver = await newStandIn({ hook: {} })

  const mails = await startMailServer({ onAuth: (_auth, _session, done) => done(null, { user: "mailer" }) })
  onTestFinished(mails.stop)

  const smtp = { SALLYPORT_SMTP_URL: `smtp://mailer:${SMTP_PASSWORD}@${mails.address}` }
  const running = await start({ ...shared, ...smtp, OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url })
  const realm = await useAll(running.url, kept, `${receiver.url}/hook`, replies)
  await expect.poll(() => mails.arrived.length).toBeGreaterThan(0)
  const reader = await realm.as("read")
  const [events, hooks] = [await reader.get("/v2/events?max_results=1000"), await reader.get("/v2/hooks")]
  expect([events.status, hooks.status]).toEqual([200, 200])
  places["events and hooks, as level read has them"] = `${events.text} ${hooks.text}`
  places["errors"] = await refusals(realm, kept)
  places["metrics"] = (await new Api(running.url, KEY).get("/metrics")).text
  await running.stop("SIGTERM")
  places["log"] = running.output()
  places["traces"] = otlp.received()
  places["cookies and addresses"] = replies.map(({ headers }) => [...headers].join(" ")).join("\n")
  places["database"] = await dump(Redacted.value(target.url))
  expect(places["traces"]).toContain("POST /v2/users")
  expect(places["database"]).toContain("newcomer@example.test")
  expect(receiver.got.length).toBeGreaterThan(5)

  // Webhooks carry the one-time tokens of their events by design. No other secret belongs there.
  const carried = ["invitation", "v1's reset", "v2's reset", "proof"]
  const inWebhooks = receiver.got.map(({ body, headers }) => `${body} ${JSON.stringify(headers)}`).join("\n")
  const found = Object.entries(kept).flatMap(([name, secret]) => {
    const all = carried.includes(name) ? places : { ...places, webhooks: inWebhooks }
    return Object.entries(all)
      .filter(([, text]) => formsOf(secret).some((form) => text.includes(form)))
      .map(([place]) => `${name} in ${place}`)
  })
  expect(found).toEqual([])
  expect(Object.keys(kept)).toHaveLength(31)
})

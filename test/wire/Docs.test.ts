import { expect, test } from "vitest"
import { NDJSON } from "#api/imports/V2"
import { Api, type Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { withEmailCodes } from "../support/codes.ts"
import { codeAt, newDevice } from "../support/credentials.ts"
import { addDomain, uniqueDomain } from "../support/domains.ts"
import { urlQuery } from "../support/external.ts"
import { pendingCallback, providerToAsk } from "../support/externalCredentials.ts"
import { pendingNotification, webhook } from "../support/hooks.ts"
import { authenticate, authenticateV1, enrolled } from "../support/logins.ts"
import { oauthClient } from "../support/oauth.ts"
import { storedClient, storedConsent, storedGrant } from "../support/oauthGrants.ts"
import { readyPasskey } from "../support/passkeys.ts"
import { query } from "../support/query.ts"
import { wireService, workerSql } from "../support/sallyport.ts"
import { emailToken, passwordToken, passwordTokenV1 } from "../support/tokens.ts"

interface Operation {
  readonly operationId: string
  readonly tags: ReadonlyArray<string>
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example: unknown }>> }
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly content?: Readonly<
          Record<string, { readonly examples: { readonly default: { readonly value: unknown } } }>
        >
      }
    >
  >
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/**
 * Excluded tags: hosted login runs on the hosts of apps, public keys need no API key, and the rest exists only in some
 * deployments.
 */
const testedElsewhere = ["hosted login", "public keys", "v2.test", "v2.test_dns", "v2.test_faults", "v2.test_messages"]

/** Resources are created before they are read, and deleted last. */
const order = ["post", "get", "put", "delete"]

/** The origin of the passkeys in the examples. */
const ORIGIN = "https://app.example.com"

const keysOf = (body: unknown): ReadonlyArray<string> =>
  typeof body === "object" && body !== null ? Object.keys(body).sort() : []

/** Creates a user with the password of the examples. Returns a login example with that user's own secrets. */
const ownLogin = async (realm: GivenRealm, example: string) => {
  if (example.includes('"tpk:')) {
    const { id, attributes } = await readyPasskey(realm, ORIGIN)
    return { user_id: id, body: JSON.stringify({ ...JSON.parse(example), user: attributes }) }
  }
  const password = "correct horse battery"
  const { id } = await realm.user({ password })
  const withCode = example.includes('"123456"')
  const device = withCode ? await enrolled(realm, id) : undefined
  const created: Readonly<Record<string, () => Promise<string>>> = {
    kli_: async () => (await authenticateV1(realm, id, password)).string("token"),
    "tmf:": async () => (await authenticate(realm, id, password)).string("token"),
    kpw_: () => passwordTokenV1(realm, id),
    "tpw:": () => passwordToken(realm, id),
    "tve:": () => emailToken(realm, id)
  }
  const { api_key } = JSON.parse(example)
  if (api_key !== undefined) await realm.apiUser({ api_key })
  let own = device === undefined ? example : example.replace("123456", device.code())
  for (const [kind, make] of Object.entries(created)) {
    const [shown] = new RegExp(`${kind}[0-9A-Za-z]{43}`).exec(own) ?? []
    if (shown !== undefined) own = own.replace(shown, await make())
  }
  return { user_id: id, body: own }
}

/** The example of an external login and a provider that accepts it. */
const ownExternal = async (realm: GivenRealm, example: Readonly<Record<string, unknown>>) => {
  if (example["state"] !== undefined) {
    return { body: { ...example, ...(await pendingCallback(realm, String(example["nonce"]))) }, id: "" }
  }
  const { id } = await realm.authProvider()
  return { body: { ...example, ...(await providerToAsk(realm, id)) }, id }
}

test("GET /openapi.json and GET /docs require no key", async () => {
  const { url } = await wireService()
  const nobody = new Api(url, undefined)
  const document = await nobody.get("/openapi.json")
  expect(document.status).toBe(200)
  expect(document.body).toMatchObject({ openapi: "3.1.0", info: { title: "Sallyport" } })
  const page = await nobody.get("/docs")
  expect(page.status).toBe(200)
  expect(page.headers.get("content-type")).toContain("text/html")
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'")
})

test("every documented example request works with real ids and returns the documented response", async () => {
  const { url, given } = await wireService()
  const { paths }: OpenApi = JSON.parse((await new Api(url, undefined).get("/openapi.json")).text)
  const sql = await workerSql()
  const realm = await given.realm()
  const [user, joined] = [await realm.user(), await realm.user()]
  const org = await realm.org()
  const membership = await realm.membership(joined.id, org.id)
  const invitation = await realm.invitation({ org_id: org.id })
  const domain = await addDomain(realm, org.id, uniqueDomain())
  const session = await realm.session(user.id)
  const key = await realm.post("/v2/api_keys", { api_key: { name: "x", level: "read", realm_id: realm.id } })
  const operator = await realm.post("/v2/operators", {
    operator: { email: "operator@example.test", role: "viewer", send_email: false }
  })
  await query(sql`update api_keys set created_by = ${operator.id} where id = ${key.id}`)
  const provider = await realm.authProvider()
  const jwtKey = await realm.post("/v2/jwt_keys", { jwt_key: { algo: "hs256", use: "sign" } })
  const device = await newDevice(realm, joined.id)
  // Each version needs its own code, because a code works only once.
  const codes = [0, 30_000].map((later) => codeAt(device.string("otp_secret"), STARTS_AT + later))
  const newUser = { username: "newcomer", email: "newcomer@example.test", password: "correct horse battery" }
  const signup = await realm.post("/v1/user_tokens", { user_token: newUser })
  const [event] = (await realm.get("/v2/events")).items
  const hook = await webhook(realm)
  const app = await realm.connectedApp({ login_handler: `${ORIGIN}/login` })
  const [client, allowing] = [await storedClient(sql, realm), await realm.user()]
  const grant = await storedGrant(sql, realm, client, allowing.id)
  const consent = await storedConsent(sql, realm, client, allowing.id)
  await withEmailCodes(realm)
  const [underWay, over] = [await pendingNotification(realm), await pendingNotification(realm)]
  const failed = await pendingNotification(realm)
  await query(sql`update deliveries set state = 'failed' where realm_id = ${realm.id} and id = ${failed.id}`)
  await realm.post(`/v2/events/${over.eventId}/notifications/${over.id}/cancel`, {})
  const own: Readonly<Record<string, string>> = {
    rl_: realm.id,
    usr_: user.id,
    org_: org.id,
    dom_: domain.id,
    mb_: membership.id,
    nvt_: invitation.id,
    kss_: session.id,
    crd_: device.id,
    key_: key.id,
    ap_: provider.id,
    jky_: jwtKey.id,
    hk_: hook.id,
    lpl_: app.id,
    ev_: String(event?.id)
  }
  const withOwnIds = (text: string) =>
    text.replaceAll(/\b([a-z]+_)[0-9a-hjkmnp-tv-z]{26}\b/g, (id, kind: string) => own[kind] ?? id)
  const params: Readonly<Record<string, string>> = {
    realm_id: realm.id,
    user_id: user.id,
    token_id: signup.id,
    org_id: org.id,
    domain_id: domain.id,
    membership_id: membership.id,
    invitation_id: invitation.id,
    session_id: session.id,
    credential_id: device.id,
    api_key_id: key.id,
    auth_provider_id: provider.id,
    operator_id: operator.id,
    key_id: jwtKey.id,
    hook_id: hook.id,
    app_id: app.id,
    grant_id: grant,
    consent_id: consent,
    event_id: String(event?.id)
  }

  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      // Tested in HostedDocs.test.ts and OpenDocs.test.ts.
      .filter(([, { tags }]) => !tags.some((tag) => testedElsewhere.includes(tag)))
      .map(([method, operation]) => ({ path, method, operation }))
  )
  // The parts of a resource are deleted before the resource, and the realm is deleted last.
  const deletionRank = (path: string) =>
    path.includes("/realms/") ? 10 : path.includes("/domains/") || !path.endsWith("}") ? 0 : 1
  const rank = ({ path, method }: (typeof calls)[number]) =>
    order.indexOf(method) + (method === "delete" ? deletionRank(path) : 0)
  let sent = 0
  for (const { path, method, operation } of calls.sort((a, b) => rank(a) - rank(b))) {
    const [[type, { example }] = ["application/json", { example: undefined }]] = Object.entries(
      operation.requestBody?.content ?? {}
    )
    const login = operation.operationId.includes(".logins.")
      ? await ownLogin(realm, JSON.stringify(example))
      : undefined
    const external =
      operation.operationId.includes(".external_authentication.") && method === "post"
        ? await ownExternal(realm, Object(example))
        : undefined
    const provided: typeof params = external === undefined ? {} : { auth_provider_id: external.id }
    const body =
      login !== undefined
        ? JSON.parse(login.body)
        : external !== undefined
          ? external.body
          : path.endsWith("/verify") && !operation.operationId.includes(".domains.")
            ? { credential: { code: codes.shift() } }
            : path.endsWith("/accept_invitation")
              ? { user: { token: (await realm.invitation()).string("token") } }
              : example === undefined
                ? undefined
                : JSON.parse(withOwnIds(JSON.stringify(example)))
    const filter =
      path.endsWith("/memberships") && method === "get"
        ? `?org_id=${org.id}`
        : path.endsWith("/authorize") && method === "get"
          ? `?${urlQuery()}`
          : ""
    // A second reset of the same realm would have to wait for the first.
    const reset: typeof params = path.endsWith("/reset") ? { realm_id: (await given.realm()).id } : {}
    const delivered = path.endsWith("/retry") ? over : underWay
    const notified: typeof params = path.includes("/notifications/")
      ? { event_id: delivered.eventId, notification_id: delivered.id, hook_id: delivered.hook.id }
      : {}
    const rotated: typeof params = path.endsWith("{app_id}/rotate_secret")
      ? { app_id: (await oauthClient(realm)).id }
      : {}
    const target =
      path.replaceAll(
        /\{(\w+)\}/g,
        (_, name: string) => ({ ...params, ...login, ...provided, ...reset, ...notified, ...rotated })[name] ?? ""
      ) + filter
    const headers = body === undefined ? {} : { "content-type": type }
    const reply: Reply = await realm.call(method.toUpperCase(), target, { body, headers })
    // The resource was already deleted through the other version.
    const gone = method === "delete" && reply.status === 404 && path.startsWith("/v1")
    expect(gone || reply.status < 300, `${operation.operationId}: ${reply.status} ${reply.text}`).toBe(true)
    const [[mediaType, media] = ["", undefined]] = Object.entries(
      operation.responses[String(reply.status)]?.content ?? {}
    )
    const shown = media?.examples.default.value
    // In NDJSON, each line is a separate object. The example shows one line.
    const hasExampleMembers = (line: unknown) => keysOf(shown).every((name) => keysOf(line).includes(name))
    const lines = () =>
      reply.text
        .trimEnd()
        .split("\n")
        .map((line): unknown => JSON.parse(line))
    const returned = () => (mediaType === NDJSON ? (lines().find(hasExampleMembers) ?? lines()[0]) : reply.body)
    if (shown !== undefined) {
      const [actual, expected] =
        method === "get" && Reflect.has(Object(returned()), "collection")
          ? [reply.items[0], Reflect.get(Object(shown), "collection")[0]]
          : [returned(), shown]
      const missing = keysOf(expected).filter((name) => !keysOf(actual).includes(name))
      expect(
        missing.filter((name) => !["org", "user", "user_id"].includes(name)),
        operation.operationId
      ).toEqual([])
    }
    sent += 1
  }
  expect(sent).toBeGreaterThan(35)
})
